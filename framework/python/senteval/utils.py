"""What scripts take from senteval.utils."""
import numpy

from senteval.encoding import absent, dotdict

__all__ = ["cosine", "dotdict"]


def cosine(u, v):
    return numpy.dot(u, v) / (numpy.linalg.norm(u) * numpy.linalg.norm(v))


__getattr__ = absent("senteval.utils")
