"""Log p of a text that goes on, from one forward pass and the softmax over all tokens."""

import torch


def logprob_of_rest(model, ids, start):
    """The summed log p of ids[start:], each after all ids before it."""
    with torch.no_grad():
        logp = model(input_ids=torch.tensor([ids])).logits[0].double().log_softmax(-1)
    return sum(float(logp[place - 1, ids[place]]) for place in range(start, len(ids)))
