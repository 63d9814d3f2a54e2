"""The engines that do tasks, such as scoring blocks of prompts, in this process or in several."""
