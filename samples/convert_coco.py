#!/usr/bin/env python3
"""Converts the image features and captions of SentEval's ImageCaptionRetrieval task.

    convert_coco.py FOLDER [OUT]

FOLDER holds train.pkl, valid.pkl and test.pkl. Written to OUT (default: FOLDER), for each of train,
valid and test:

    <part>.images.npy    float32, one row per image
    <part>.captions.tsv  number of the image (row, from 0), TAB, caption; five for each image

Needs NumPy. A pickle can run any code when it is opened: convert only files that you trust.
"""

import argparse
import os
import pickle
import sys

import numpy as np

CAPTIONS = 5  # of each image; further ones are not used by the task


def sentence(caption):
    """The text that is encoded: the cleaned caption and a full stop, words joined by one space."""
    return " ".join((caption["cleaned_caption"] + " .").split())


def convert(pickled, images_path, captions_path):
    with open(pickled, "rb") as f:
        data = pickle.load(f, encoding="latin1")
    features = np.ascontiguousarray(data["features"], dtype="<f4")
    with open(captions_path, "w", encoding="utf-8", newline="\n") as out:
        for image in range(len(features)):
            ids = data["image_to_caption_ids"][image]
            if len(ids) < CAPTIONS:
                sys.exit(f"{pickled}: image {image} has {len(ids)} captions, not {CAPTIONS}")
            for caption in ids[:CAPTIONS]:
                out.write(f"{image}\t{sentence(data['captions'][caption])}\n")
    np.save(images_path, features)
    return len(features)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", help="folder with train.pkl, valid.pkl and test.pkl")
    parser.add_argument("out", nargs="?", help="where to write (default: the same folder)")
    arguments = parser.parse_args()
    out = arguments.out or arguments.folder
    os.makedirs(out, exist_ok=True)
    for part in ("train", "valid", "test"):
        images = convert(os.path.join(arguments.folder, part + ".pkl"),
                         os.path.join(out, part + ".images.npy"),
                         os.path.join(out, part + ".captions.tsv"))
        print(f"{part}: {images} images, {CAPTIONS * images} captions")


if __name__ == "__main__":
    main()
