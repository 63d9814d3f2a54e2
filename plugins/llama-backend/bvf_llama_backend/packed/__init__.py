"""Models whose weights stay packed as they are in a GGUF file. llama.cpp computes with them."""
