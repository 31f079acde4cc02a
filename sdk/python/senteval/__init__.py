"""Evaluates sentence encoders on SentEval's tasks: a drop-in for the original's module.

    se = senteval.engine.SE(params, batcher, prepare)
    results = se.eval(["MR", "SICKEntailment", "STS14"])
"""
from senteval import engine, utils
from senteval.encoding import Error
from senteval.engine import SE

__all__ = ["Error", "SE", "engine", "utils"]
__version__ = "@PROJECT_VERSION@"
