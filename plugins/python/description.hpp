// description.hpp -- what the encoder `python` says of itself, in the plugin and in its bridge.
#pragma once

#include <senteval/encoder.hpp>

namespace senteval::python {

// Batch-invariant only where the user says so: what a script does with a batch is its own affair.
inline constexpr sdk::Descriptor descriptor{
    .id = "senteval.python",
    .name = "Python script",
    .version = "1.0",
    .description = "A script written for SentEval, unchanged: prepare(params, samples) and "
                   "batcher(params, batch); or any object with encode(list of sentences).",
    .license = "MIT",
    .capabilities = SENTEVAL_CAP_BATCH_INVARIANT,
};

inline constexpr senteval_param_spec parameters[] = {
    sdk::path_param("script", "The script, a .py file."),
    sdk::param("style",
               "senteval",
               "What is called: prepare and batcher (senteval), or encode(list of str) as in "
               "sentence-transformers (encode)."),
    sdk::param("object",
               "",
               "For style=encode: the script's object that has encode, or its function; not needed "
               "where there is only one."),
    sdk::param(
        "batch_invariant",
        false,
        "Whether the vector of a sentence depends on it alone, not on the others of its batch: "
        "each is then encoded once, and --cache can keep it."),
    {sizeof(senteval_param_spec),
     SENTEVAL_PARAM_LIST,
     "args",
     "key=value for the script's params, the value as Python writes it, else a string; may be "
     "given "
     "several times.",
     {SENTEVAL_TYPE_STRING, 0, {.string = sdk::to_c("")}}},
};

} // namespace senteval::python
