// Writes a report of invented numbers and says how long it took and how large it is:
// report_bench FILE [encoders] [tasks]
#include "base/files.hpp"
#include "unit/report/sample_comparison.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdlib>

int main(int argc, char** argv)
{
    using namespace senteval;
    if (argc < 2) {
        fmt::print(stderr, "usage: report_bench FILE [encoders] [tasks]\n");
        return 2;
    }
    const auto argument = [&](int at, std::size_t otherwise) {
        return argc > at ? std::strtoull(argv[at], nullptr, 10) : otherwise;
    };
    const auto comparison = test::sample_comparison(argument(2, 30), argument(3, 35));
    const auto start = std::chrono::steady_clock::now();
    const std::string page = test::sample_page(comparison);
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    base::write_file_atomically(argv[1], page);
    fmt::print("{} encoders x {} tasks: {:.3f} s, {:.2f} MB\n", comparison.rows.size(),
               comparison.tasks.size(), elapsed.count(), static_cast<double>(page.size()) / 1e6);
}
