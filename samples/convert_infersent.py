#!/usr/bin/env python3
"""Converts the weights of InferSent, infersent1.pkl or infersent2.pkl, for the encoder `infersent`.

    convert_infersent.py IN.pkl OUT.safetensors

Needs PyTorch 1.13 or later, and NumPy. Nothing in the pickle is run: PyTorch reads tensors alone.
"""

import argparse
import json
import struct

import torch


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pickle", help="a state dictionary of PyTorch, in the old format or the new")
    parser.add_argument("out", help="where to write, in the format safetensors")
    arguments = parser.parse_args()
    state = torch.load(arguments.pickle, map_location="cpu", weights_only=True)
    header, parts, end = {}, [], 0
    for name, tensor in state.items():
        if name.startswith("enc_lstm."):
            parts.append(tensor.detach().numpy().astype("<f4").tobytes())
            header[name] = {"dtype": "F32", "shape": list(tensor.shape),
                            "data_offsets": [end, end + len(parts[-1])]}
            end += len(parts[-1])
    if not parts:
        parser.error(arguments.pickle + ": has no tensors 'enc_lstm...', so it is not InferSent's")
    text = json.dumps(header).encode()
    with open(arguments.out, "wb") as out:
        out.write(struct.pack("<Q", len(text)) + text)
        out.writelines(parts)
    print(f"{arguments.out}: {len(parts)} tensors, {end} bytes")


if __name__ == "__main__":
    main()
