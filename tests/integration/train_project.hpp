// train_project.hpp -- a folder with what `senteval train` needs, and a run of what it makes.
#pragma once

#include "program/program.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string>

namespace senteval::test {

/// Words of two meanings each: aI and bI mean the same, and begin as different vectors.
struct TrainProject {
    TrainProject()
    {
        std::string vectors;
        std::string pairs;
        std::string sentences;
        for (int i = 0; i < 40; ++i) {
            const double angle = 0.37 * i;
            vectors +=
                fmt::format("a{0} {1:.3f} {2:.3f} {3:.3f} 0.3\nb{0} {2:.3f} {3:.3f} 0.2 {1:.3f}\n",
                            i, std::cos(angle), std::sin(angle), std::cos(3 * angle));
            pairs += fmt::format("a{0}\tb{0}\nthe a{0} and a{1}\tthe b{0} or b{1}\n", i,
                                 (i * 7 + 3) % 40);
        }
        vectors += "the 0.1 0.1 0.1 0.1\nand 0.2 0 0.1 0\nor 0 0.2 0 0.1\n";
        for (int i = 0; i < 12; ++i)
            sentences += fmt::format("the a{0} and a{1}\tthe b{2} or a{1}\t{3}\n", i,
                                     (i * 7 + 3) % 40, i + i % 3, 5 - i % 3);
        scratch.write("vectors.txt", vectors);
        scratch.write("pairs.tsv", pairs);
        scratch.write("task.tsv", sentences);
        scratch.write("run.toml",
                      fmt::format("[run]\noutput = \"results\"\n"
                                  "[[encoder]]\nname = \"paragram\"\nlabel = \"trained\"\n"
                                  "[encoder.parameters]\nmodel = \"my.paragram\"\n"
                                  "[[task]]\nname = \"Seen\"\nprotocol = \"similarity\"\n"
                                  "test = \"task.tsv\"\nfirst = 1\nsecond = 2\ntarget = 3\n"
                                  "tokenise = \"none\"\n"));
    }

    [[nodiscard]] std::string train(const std::string& output,
                                    const std::string& further = "") const
    {
        return "train paragram --pairs " + quoted(scratch / "pairs.tsv") + " --init " +
               quoted(scratch / "vectors.txt") + " -o " + quoted(scratch / output) + " --batch 8 " +
               further;
    }

    ScratchFolder scratch;
};

} // namespace senteval::test
