#include "base/error.hpp"
#include "data/archive.hpp"
#include "support/support.hpp"

#include <archive.h>
#include <archive_entry.h>

using namespace senteval;

namespace {

struct Entry {
    std::string name;
    std::string bytes;
    std::string symlink = {};
};

using Writer = std::unique_ptr<archive, decltype(&archive_write_free)>;

enum class Kind { zip, tar_gz };

std::filesystem::path
make_archive(const test::ScratchFolder& scratch, Kind kind, const std::vector<Entry>& entries)
{
    auto path = scratch / (kind == Kind::zip ? "a.zip" : "a.tar.gz");
    const Writer writer(archive_write_new(), &archive_write_free);
    if (kind == Kind::zip) {
        archive_write_set_format_zip(writer.get());
    } else {
        archive_write_set_format_pax_restricted(writer.get());
        archive_write_add_filter_gzip(writer.get());
    }
    REQUIRE(archive_write_open_filename(writer.get(), path.c_str()) == ARCHIVE_OK);
    for (const Entry& e : entries) {
        const std::unique_ptr<archive_entry, decltype(&archive_entry_free)> entry(
            archive_entry_new(), &archive_entry_free);
        archive_entry_set_pathname(entry.get(), e.name.c_str());
        archive_entry_set_filetype(entry.get(), e.symlink.empty() ? AE_IFREG : AE_IFLNK);
        if (!e.symlink.empty())
            archive_entry_set_symlink(entry.get(), e.symlink.c_str());
        archive_entry_set_perm(entry.get(), 0644);
        archive_entry_set_size(entry.get(), static_cast<la_int64_t>(e.bytes.size()));
        REQUIRE(archive_write_header(writer.get(), entry.get()) >= ARCHIVE_WARN);
        archive_write_data(writer.get(), e.bytes.data(), e.bytes.size());
    }
    REQUIRE(archive_write_close(writer.get()) == ARCHIVE_OK);
    return path;
}

std::string read_member(const std::filesystem::path& path,
                        std::string_view member,
                        const data::ArchiveLimits& limits = {})
{
    std::string bytes;
    data::read_archive_member(
        path, member, [&](std::string_view piece) { bytes += piece; }, limits);
    return bytes;
}

void refuses(const std::filesystem::path& path, const char* message)
{
    CHECK_ERROR(base::Error, message, read_member(path, "wanted"));
}

/// A cabinet with one stored file, by Microsoft's published layout.
std::string make_cabinet(const std::string& name, const std::string& content)
{
    std::string bytes;
    const auto append = [&](std::initializer_list<std::pair<std::size_t, std::size_t>> numbers) {
        for (const auto& [number, width] : numbers)
            for (std::size_t i = 0; i < width; ++i)
                bytes += static_cast<char>(number >> 8 * i & 0xFF);
    };
    const std::size_t files_at = 36 + 8;
    const std::size_t data_at = files_at + 16 + name.size() + 1;
    const std::size_t size = data_at + 8 + content.size();
    bytes = "MSCF";
    // Of version 1.3, with one folder and one file.
    append({{0, 4}, {size, 4}, {0, 4}, {files_at, 4}, {0, 4}, {0x0103, 2}, {1, 2}, {1, 2}, {0, 6}});
    append({{data_at, 4}, {1, 2}, {0, 2}}); // the folder: one block, stored
    append({{content.size(), 4}, {0, 4}, {0, 2}, {0x5000, 2}, {0, 2}, {0x20, 2}}); // the file
    bytes += name + '\0';
    append({{0, 4}, {content.size(), 2}, {content.size(), 2}}); // the block, without checksum
    return bytes + content;
}

/// As an installer has it: behind some sectors of other things, and before others.
std::string make_installer(const std::string& cabinet)
{
    return "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1" + std::string(1528, '\1') + cabinet +
           std::string(700, '\2');
}

} // namespace

TEST_CASE("one member is read from zip and tar archives")
{
    const test::ScratchFolder scratch;
    const std::string text(200'000, 'x');
    for (const Kind kind : {Kind::zip, Kind::tar_gz}) {
        const auto path = make_archive(scratch, kind, {{"top/other", "o"}, {"./top/wanted", text}});
        CHECK(read_member(path, "top/wanted") == text);
        CHECK_ERROR(base::Error, "has no file 'wanted'", read_member(path, "wanted"));
    }
}

TEST_CASE("a link is no file")
{
    const test::ScratchFolder scratch;
    refuses(make_archive(scratch, Kind::tar_gz, {{"wanted", "", "inside"}}),
            "has no regular file 'wanted'");
}

TEST_CASE("bombs are given up at the declared limit")
{
    const test::ScratchFolder scratch;
    const auto path = make_archive(scratch, Kind::zip, {{"wanted", std::string(5'000'000, '\0')}});
    CHECK(read_member(path, "wanted").size() == 5'000'000);
    CHECK_ERROR(base::Error, "unpacks to more than 1000000 bytes",
                read_member(path, "wanted", {.max_bytes = 1'000'000}));
    CHECK_ERROR(base::Error, "unpacks to more than",
                read_member(path, "wanted", {.max_ratio = 10}));
    const auto many = make_archive(scratch, Kind::zip, {{"a", ""}, {"b", ""}, {"wanted", "w"}});
    CHECK_ERROR(base::Error, "more than 2 entries",
                read_member(many, "wanted", {.max_entries = 2}));
}

TEST_CASE("what is no archive, or a cut one, is refused")
{
    const test::ScratchFolder scratch;
    refuses(scratch.write("page.zip", "<html>404</html>"), "archive '");
    refuses(scratch.write("empty.zip", ""), "archive '");
    const auto path = make_archive(scratch, Kind::tar_gz, {{"wanted", std::string(100'000, 'x')}});
    std::filesystem::resize_file(path, std::filesystem::file_size(path) / 2);
    CHECK_THROWS_AS(read_member(path, "wanted"), base::Error);
}

TEST_CASE("a cabinet is read alone and inside an installer")
{
    const test::ScratchFolder scratch;
    const std::string text(5'000, 'm');
    const std::string cabinet = make_cabinet("_2DEC", text);
    CHECK(read_member(scratch.write("a.cab", cabinet), "_2DEC") == text);
    const std::string installer = make_installer(cabinet);
    CHECK(read_member(scratch.write("a.msi", installer), "_2DEC") == text);
}

TEST_CASE("a damaged installer is refused")
{
    const test::ScratchFolder scratch;
    const std::string installer = make_installer(make_cabinet("x", std::string(5'000, 'm')));
    for (const std::string& bytes : {make_installer(std::string(5'000, 'n')),
                                     installer.substr(0, 3000), installer.substr(0, 40)})
        CHECK_THROWS_AS(read_member(scratch.write("a.msi", bytes), "x"), base::Error);
}
