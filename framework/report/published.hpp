// published.hpp -- results of the literature, beside those of a comparison.
#pragma once

#include "compare/comparison.hpp"

#include <string>
#include <vector>

namespace senteval::report {

/// Published numbers, as printed.
struct PublishedTable {
    struct Column {
        std::string label;
        std::string task;   ///< empty: not among ours
        std::string metric; ///< path of the metric that was published
        double scale = 1;   ///< printed value * scale is in the metric's unit here
    };
    struct Row {
        std::string name;
        std::vector<double> values; ///< one for each column; NaN: not given
    };
    std::string title;
    std::string source;
    std::string note;
    int decimals = 1;
    std::vector<Column> columns;
    std::vector<Row> rows;
};

/// Conneau & Kiela 2018, tables 3 and 4; Wieting et al. 2016, tables 2 and 4; Eger et al. 2019, table
/// 2; the best system of STS 2016. Values as printed; columns say which task and metric they are of.
const std::vector<PublishedTable>& published_tables();

/// Whether all that is shown of the task is of the published data, by an encoder that was not trained on it.
bool is_published_set(const compare::TaskComparison& task);

} // namespace senteval::report
