#include "data/abbreviations.hpp"

#include <algorithm>
#include <array>

namespace senteval::data {
namespace {

// Titles, ranks, months and the like, sorted by byte for binary search; initials are not listed.
// Which words are left out matters as much: the prepared files of the STS sets and MRPC split the
// period of Inc., Co., Ltd., Jr., Sept. and of the states.
constexpr std::string_view always[] = {
    "Adm", "Apr",  "Asst", "Aug", "Brig", "Bros", "Capt", "Cmdr",   "Col",  "Comdr", "Corp", "Cpl",
    "DR",  "Dec",  "Dr",   "Drs", "Ens",  "Feb",  "Gen",  "Gov",    "Hon",  "Insp",  "Jan",  "Jul",
    "Jun", "Lt",   "MR",   "MRS", "MS",   "Maj",  "Mar",  "Messrs", "Mlle", "Mme",   "Mr",   "Mrs",
    "Ms",  "Msgr", "Nos",  "Nov", "Oct",  "Pfc",  "Ph",   "Prof",   "Pvt",  "Rep",   "Reps", "Rev",
    "Sen", "Sens", "Sep",  "Sfc", "Sgt",  "Sr",   "St",   "Supt",   "rev",  "v",     "vs",
};
constexpr std::string_view before_number[] = {"Art", "No", "pp"};

} // namespace

Abbreviation abbreviation(std::string_view stem)
{
    if (stem.size() == 1 && stem.front() >= 'A' && stem.front() <= 'Z')
        return Abbreviation::always;
    if (std::ranges::binary_search(always, stem))
        return Abbreviation::always;
    if (std::ranges::binary_search(before_number, stem))
        return Abbreviation::before_number;
    return Abbreviation::none;
}

} // namespace senteval::data
