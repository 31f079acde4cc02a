#!/usr/bin/env python3
"""Checks what the rooms that read results are linked with: nothing that makes vectors, learns or downloads.

links.py LIBRARY...
"""
import sys

rooms = {"base", "numeric", "core", "results", "stats", "measures", "compare", "sdk", "xxhash", "compiler"}
others = {"fmt::fmt", "nlohmann_json::nlohmann_json", "Boost::filesystem", "Boost::headers", "ICU::uc",
          "Threads::Threads", "tomlplusplus::tomlplusplus", "dl"}
linked = set(sys.argv[1:])
more = linked - others - {f"senteval_{room}" for room in rooms}
print("\n".join(sorted(more)) or f"{len(linked)} libraries")
sys.exit(bool(more) or "senteval_results" not in linked)
