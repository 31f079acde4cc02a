#include "encoder/process_state.hpp"

#include <fmt/format.h>

#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cfenv>
#include <charconv>
#include <climits>
#include <clocale>
#include <cstdint>
#include <cstring>
#include <utility>
#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace senteval::encoder {
namespace {

std::string current_locale()
{
    const char* name = std::setlocale(LC_ALL, nullptr);
    return name == nullptr ? std::string() : name;
}

std::string current_folder()
{
    char name[PATH_MAX];
    return getcwd(name, sizeof name) == nullptr ? std::string("(unknown)") : name;
}

/// From the kernel's account, since umask() would have to change it to read it.
std::optional<mode_t> current_file_mask()
{
    const core::Descriptor file(open("/proc/self/status", O_RDONLY | O_CLOEXEC));
    char text[512];
    const ssize_t size = file.number() < 0 ? -1 : read(file.number(), text, sizeof text);
    const std::string_view status(text, size < 0 ? 0 : static_cast<std::size_t>(size));
    constexpr std::string_view label = "Umask:\t";
    const std::size_t at = status.find(label);
    unsigned mask = 0;
    if (at == std::string_view::npos ||
        std::from_chars(status.data() + at + label.size(), status.data() + status.size(), mask, 8)
                .ec != std::errc())
        return std::nullopt;
    return static_cast<mode_t>(mask);
}

std::optional<struct sigaction> current_handler(int number)
{
    struct sigaction action {};
    if (sigaction(number, nullptr, &action) != 0) // of the threads library, for one
        return std::nullopt;
    return action;
}

bool same_handler(const struct sigaction& a, const struct sigaction& b)
{
    // What the system adds to the flags by itself does not count.
    constexpr auto flags = static_cast<int>(SA_SIGINFO | SA_NODEFER | SA_RESETHAND | SA_ONSTACK);
    return a.sa_handler == b.sa_handler && (a.sa_flags & flags) == (b.sa_flags & flags);
}

/// Whether a register of the x87 unit is in use, as no function may leave one: until it is freed, some
/// calculations with long double give NaN.
bool has_x87_values()
{
#if defined(__x86_64__) || defined(__i386__)
    struct {
        std::uint16_t control, pad_0, status, pad_1, tags, pad_2;
        std::uint32_t rest[4];
    } environment;
    asm volatile("fnstenv %0\n\tfldenv %0" : "+m"(environment)); // the former masks exceptions
    return environment.tags != 0xffff;
#else
    return false;
#endif
}

void free_x87()
{
#if defined(__x86_64__) || defined(__i386__)
    asm volatile("emms");
#endif
}

bool is_same_file(const struct stat& a, const struct stat& b)
{
    return a.st_dev == b.st_dev && a.st_ino == b.st_ino && a.st_rdev == b.st_rdev;
}

/// Signals whose place in a mask is theirs to set, which those of the threads library are not.
bool is_ordinary(int number)
{
    return number < __SIGRTMIN || number >= SIGRTMIN;
}

} // namespace

ThreadState::FloatingPoint ThreadState::floating_point() noexcept
{
    FloatingPoint state;
    state.rounding = std::fegetround();
#if defined(__SSE__)
    constexpr unsigned flags = 0x3f; // that calculations set: no part of the control word
    state.sse = _mm_getcsr() & ~flags;
#endif
#if defined(__x86_64__) || defined(__i386__)
    unsigned short word = 0;
    asm volatile("fnstcw %0" : "=m"(word));
    state.x87 = word;
#endif
    return state;
}

void ThreadState::set(const FloatingPoint& state) noexcept
{
    std::fesetround(state.rounding);
#if defined(__SSE__)
    _mm_setcsr(state.sse);
#endif
#if defined(__x86_64__) || defined(__i386__)
    const auto word = static_cast<unsigned short>(state.x87);
    asm volatile("fldcw %0" : : "m"(word));
#endif
}

ThreadState::ThreadState() : floating_point_(floating_point()), locale_(uselocale(nullptr))
{
    sigemptyset(&mask_);
    pthread_sigmask(SIG_BLOCK, nullptr, &mask_);
}

void ThreadState::restore(std::vector<Disturbance>& found) const
{
    if (uselocale(nullptr) != locale_) {
        found.push_back({"6.1", "the thread had a locale of its own"});
        uselocale(locale_);
    }
    sigset_t mask;
    sigemptyset(&mask);
    pthread_sigmask(SIG_BLOCK, nullptr, &mask);
    for (int number = 1; number < NSIG; ++number)
        if (is_ordinary(number) && sigismember(&mask, number) != sigismember(&mask_, number)) {
            found.push_back(
                {"6.2", fmt::format("the thread had signal {} {}", number,
                                    sigismember(&mask, number) == 1 ? "blocked" : "unblocked")});
            pthread_sigmask(SIG_SETMASK, &mask_, nullptr);
            break;
        }
    if (has_x87_values()) {
        found.push_back(
            {"6.4", "registers of the x87 unit were in use, as after MMX without EMMS"});
        free_x87();
    }
    const FloatingPoint now = floating_point();
    if (now == floating_point_)
        return;
    found.push_back(
        {"6.4", now.rounding != floating_point_.rounding
                    ? "the rounding mode was another"
                    : fmt::format("the floating-point control word was {:#x} in place of {:#x}: "
                                  "denormal numbers, precision or traps",
                                  now.sse != floating_point_.sse ? now.sse : now.x87,
                                  now.sse != floating_point_.sse ? floating_point_.sse
                                                                 : floating_point_.x87)});
    set(floating_point_);
}

ProcessState::Stream::Stream(int number) : copy(fcntl(number, F_DUPFD_CLOEXEC, STDERR_FILENO + 1))
{
    if (copy.number() >= 0)
        (void)fstat(copy.number(), &file);
}

ProcessState::ProcessState()
    : locale_(current_locale()),
      folder_(
          std::make_shared<const core::Descriptor>(open(".", O_PATH | O_DIRECTORY | O_CLOEXEC))),
      folder_name_(current_folder()),
      file_mask_(current_file_mask()),
      streams_(new Streams{{Stream(STDIN_FILENO), Stream(STDOUT_FILENO), Stream(STDERR_FILENO)}})
{
    for (int number = 1; number < static_cast<int>(signals); ++number)
        handlers_[static_cast<std::size_t>(number)] = current_handler(number);
}

void ProcessState::restore(std::vector<Disturbance>& found) const
{
    restore_locale(found);
    restore_handlers(found);
    restore_folder(found);
    restore_file_mask(found);
    restore_streams(found);
}

void ProcessState::restore_locale(std::vector<Disturbance>& found) const
{
    const char* now = std::setlocale(LC_ALL, nullptr);
    if (now == nullptr || now != locale_) {
        found.push_back({"6.1", fmt::format("the locale was '{}' in place of '{}'",
                                            now == nullptr ? "" : now, locale_)});
        std::setlocale(LC_ALL, locale_.c_str());
    }
    if (const std::locale cpp; !(cpp == cpp_locale_)) {
        found.push_back({"6.1", fmt::format("the locale of C++ was '{}' in place of '{}'",
                                            cpp.name(), cpp_locale_.name())});
        std::locale::global(cpp_locale_);
        std::setlocale(LC_ALL, locale_.c_str()); // which the line before has set as well
    }
}

void ProcessState::restore_handlers(std::vector<Disturbance>& found) const
{
    for (int number = 1; number < static_cast<int>(signals); ++number) {
        const auto& before = handlers_[static_cast<std::size_t>(number)];
        const auto now = current_handler(number);
        if (!before || !now || same_handler(*before, *now))
            continue;
        const char* name = sigabbrev_np(number);
        found.push_back(
            {"6.2",
             fmt::format("the handler of signal {}{} was another", name == nullptr ? "" : "SIG",
                         name == nullptr ? std::to_string(number) : std::string(name))});
        sigaction(number, &*before, nullptr);
    }
}

void ProcessState::restore_folder(std::vector<Disturbance>& found) const
{
    struct stat before {};
    struct stat now {};
    if (folder_->number() < 0 || fstat(folder_->number(), &before) != 0 || stat(".", &now) != 0 ||
        (before.st_dev == now.st_dev && before.st_ino == now.st_ino))
        return;
    found.push_back({"6.3", fmt::format("the working directory was {} in place of {}",
                                        current_folder(), folder_name_)});
    (void)!fchdir(folder_->number());
}

void ProcessState::restore_file_mask(std::vector<Disturbance>& found) const
{
    const auto now = current_file_mask();
    if (!now || !file_mask_ || *now == *file_mask_)
        return;
    found.push_back({"6.5", fmt::format("the mask of new files was {:03o} in place of {:03o}", *now,
                                        *file_mask_)});
    umask(*file_mask_);
}

void ProcessState::restore_streams(std::vector<Disturbance>& found) const
{
    for (int number = STDIN_FILENO; number <= STDERR_FILENO; ++number) {
        const Stream& before = (*streams_)[static_cast<std::size_t>(number)];
        struct stat now {};
        const bool is_open = fstat(number, &now) == 0;
        if (before.copy.number() < 0 || (is_open && is_same_file(before.file, now)))
            continue;
        struct stat copy {};
        if (fstat(before.copy.number(), &copy) != 0 || !is_same_file(before.file, copy))
            continue; // the copy was closed, too
        found.push_back({"6.6", fmt::format("descriptor {} was {}", number,
                                            is_open ? "another file" : "closed")});
        dup2(before.copy.number(), number);
    }
}

StateWatch::Call::Call(StateWatch& watch, std::string_view function, Often often)
    : watch_(watch), function_(function), often_(often)
{
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, nullptr); // no thread here is to be cancelled
    watch.begin_call(function, often);
}

void StateWatch::Call::end_other_process() const noexcept
{
    if (getpid() != process_)
        _exit(0);
}

StateWatch::Call::~Call()
{
    end_other_process();
    try {
        watch_.end_call(thread_, function_, often_);
    } catch (
        const std::exception&) { // of memory, or of the log: nothing that a call has to fail for
    }
}

void StateWatch::begin_call(std::string_view function, Often often)
{
    std::vector<Disturbance> found;
    std::string_view before;
    {
        const std::lock_guard lock(mutex_);
        if (often == Often::for_every_batch && (not_compared_.empty() || not_compared_ == function))
            return;
        before = std::exchange(not_compared_, {});
        if (!before.empty())
            known_.restore(found);
        if (often == Often::rarely) // what the program itself has changed is how things are
            known_ = ProcessState();
    }
    tell(std::move(found), before);
}

void StateWatch::end_call(const ThreadState& thread, std::string_view function, Often often)
{
    constexpr auto interval = std::chrono::milliseconds(20);
    std::vector<Disturbance> found;
    thread.restore(found);
    {
        const std::lock_guard lock(mutex_);
        const auto now = std::chrono::steady_clock::now();
        if (often == Often::rarely || now - compared_ >= interval) {
            known_.restore(found);
            compared_ = now;
            not_compared_ = {};
        } else {
            known_.restore_locale(found);
            known_.restore_streams(found);
            not_compared_ = function;
        }
    }
    tell(std::move(found), function);
}

void StateWatch::tell(std::vector<Disturbance> found, std::string_view function)
{
    {
        const std::lock_guard lock(mutex_);
        std::erase_if(found,
                      [&](const Disturbance& one) { return !told_.insert(one.rule).second; });
    }
    for (const Disturbance& one : found)
        if (tell_)
            tell_(one, function);
}

} // namespace senteval::encoder
