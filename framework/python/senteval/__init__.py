"""Evaluates sentence encoders: models of Python beside the program's own, and SentEval's functions as before.

    senteval.compare({"base": model, "glove": senteval.encoder("glove", vectors="glove.txt")}, tasks=["STS14"], data="DATA")
    senteval.engine.SE(params, batcher, prepare).eval(["MR", "STS14"])
"""
from senteval.encoding import Error, install_command, numpy, offer_absent

if numpy is None:
    raise ImportError(f"senteval needs NumPy, which this Python does not have: {install_command('numpy')}")

from senteval import engine, utils
from senteval.comparison import Comparison, compare, encoder
from senteval.engine import SE
from senteval.evaluator import Evaluator

offer_absent()

__all__ = ["Comparison", "Error", "Evaluator", "SE", "compare", "encoder", "engine", "utils"]
__version__ = "@PROJECT_VERSION@"

