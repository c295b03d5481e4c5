"""The options of a compile command: those that state the machine, and all other words."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from registry.domain.compile_commands.words import EXPECTED, CommandError, Word
from registry.domain.errors import echo

TRIPLE, CPU, ARCH, FPU, FLOAT_ABI, ABI = "target", "mcpu", "march", "mfpu", "mfloat-abi", "mabi"
FEATURE, MODE, GENCODE, CODE, OFFLOAD = "feature", "mode", "gencode", "code", "offload-arch"
FRONT_END_FEATURE = "target-feature"  # follows all features that the driver states
# The option that each spelling states; a value follows after `=`, or as the next word.
SPELLINGS: Mapping[str, str] = {
    "--target": TRIPLE,
    "-target": TRIPLE,
    **{f"-{name}": name for name in (CPU, ARCH, FPU, FLOAT_ABI, ABI)},
    **dict.fromkeys(("-gencode", "--generate-code", "-generate-code"), GENCODE),
    **dict.fromkeys(("-arch", "--gpu-architecture"), "arch"),
    **dict.fromkeys(("-code", "--gpu-code"), CODE),
    **dict.fromkeys(("--offload-arch", "--cuda-gpu-arch", "--amdgpu-target"), OFFLOAD),
}
ONLY_WITH_EQUALS = frozenset({f"-{name}" for name in (CPU, ARCH, FPU, FLOAT_ABI, ABI)})
MODES = ("-m32", "-m64", "-mthumb", "-marm")
WITH_VALUE = frozenset(
    {
        *("-o", "-I", "-D", "-U", "-x", "-L", "-l", "-isystem", "-include", "-MF", "-MT", "-MQ"),
        *("-mllvm", "-Xlinker", "-Xassembler", "-Xptxas", "-ccbin"),
        *("-Xpreprocessor", "-isysroot", "--sysroot", "-T", "-e", "-u", "-z"),
    }
)
FEATURE_FLAG = ("-Xclang", "-target-feature", "-Xclang")
# Flags for the compiler of the host beside that of the device.
OF_HOST = frozenset({"-Xcompiler", "--compiler-options", "-Xarch_host"})
SEPARATOR = re.compile(r"[,\s]+")
# Other flags that state the machine: the order of bytes, a GPU less, and options of the front end.
OF_MACHINE = re.compile(r"-E[BL]|--no-(offload|cuda-gpu)-arch(=.*)?")
PASSES_ON = frozenset({"-Xclang", "-Xarch_device"})
OF_FRONT_END = re.compile(r"-(target-|triple|m(?!llvm$))")
MACHINE = re.compile(r"-m(?!acosx-version-min=|llvm$)")
# Flags that tune, or are about code around functions: a target has no place for them.
TUNING = re.compile(
    r"-m(tune=|cmodel=|prefer-vector-width=|stack|preferred-stack|(no-)?(red-zone|recip|vzeroupper"
    r"|omit-leaf|relax|thumb-interwork)|tls-|branch-protection=|indirect-|function-return"
    r"|implicit-it=|fpmath=)"
)
FEATURES_OF_X86 = frozenset(
    {
        *("mmx", "sse", "sse2", "sse3", "ssse3", "sse4.1", "sse4.2", "sse4a", "avx", "avx2"),
        *("fma", "fma4", "xop", "f16c", "bmi", "bmi2", "lzcnt", "popcnt", "tbm", "aes", "pclmul"),
        *("sha", "adx", "movbe", "rdrnd", "rdseed", "fsgsbase", "prfchw", "xsave", "xsaveopt"),
        *("xsavec", "xsaves", "clflushopt", "clwb", "cx16", "sahf", "crc32", "gfni", "vaes"),
        *("vpclmulqdq", "avxvnni", "avxifma", "avxneconvert", "avxvnniint8", "avxvnniint16"),
        *("sha512", "sm3", "sm4", "movdiri", "movdir64b", "enqcmd", "waitpkg", "uintr", "hreset"),
        *("serialize", "tsxldtrk", "rtm", "ptwrite", "rdpid", "invpcid", "pku", "cldemote"),
        *("avx10.1", "avx10.2", "cmpccxadd", "raoint", "clzero", "wbnoinvd", "kl", "widekl"),
        *(f"amx-{name}" for name in ("tile", "int8", "bf16", "fp16", "complex", "tf32", "fp8")),
        *(f"avx512{name}" for name in ("f", "cd", "bw", "dq", "vl", "ifma", "vbmi", "vbmi2")),
        *(f"avx512{name}" for name in ("vnni", "bitalg", "vpopcntdq", "bf16", "fp16")),
        "avx512vp2intersect",
    }
)
SSE4 = {"-msse4": "+sse4.2", "-mno-sse4": "-sse4.1"}  # both of SSE4.1 and SSE4.2


@dataclass(slots=True)
class Options:
    """The options of a command by name, in their order, and the words that state no machine."""

    line: str
    stated: dict[str, list[Word]] = field(default_factory=dict)
    others: list[Word] = field(default_factory=list)

    def __contains__(self, name: str) -> bool:
        return name in self.stated

    def words(self, name: str) -> Sequence[Word]:
        """Return the values of an option."""
        return self.stated.get(name, ())

    def value(self, name: str) -> Word | None:
        """Return the only value of an option. Raises `CommandError` if values differ."""
        words = self.words(name)
        for word in words[1:]:
            if word.text != words[0].text:
                message = f"{name} is {echo(words[0].text)} and also {echo(word.text)}"
                raise self.error("TWO_TARGETS", message, word, "one of them")
        return words[0] if words else None

    def error(self, code: str, message: str, word: Word, expected: str = EXPECTED) -> CommandError:
        """Return an error about a word."""
        return CommandError.at(word, code, message, self.line, expected)


def parse_options(words: Sequence[Word], line: str) -> Options:
    """Return the options of the words after a compiler. Raises `CommandError`."""
    options = Options(line)
    remaining = deque(words)
    while remaining:
        word = remaining.popleft()
        name, equals, _ = word.text.partition("=")
        if [word.text, *(next_word.text for next_word in [*remaining][:2])] == [*FEATURE_FLAG]:
            remaining.popleft()
            remaining.popleft()
            _add(options, FRONT_END_FEATURE, _next(remaining, word, options))
        elif name in SPELLINGS and (equals or name not in ONLY_WITH_EQUALS):
            stated = _value(word, remaining, options)
            if not stated.text:
                raise options.error("OPTION_INVALID", f"{echo(word.text)} has no value", word)
            _add(options, SPELLINGS[name], stated)
        elif name in OF_HOST:
            stated = _value(word, remaining, options)
            flags = [stated.text] if name == "-Xarch_host" else SEPARATOR.split(stated.text)
            remaining.extendleft(Word(flag, stated.offset) for flag in reversed(flags) if flag)
        elif word.text in MODES:
            _add(options, MODE, word)
        else:
            _add_other(options, word, remaining)
    return options


def _add_other(options: Options, word: Word, remaining: deque[Word]) -> None:
    """Add a flag without a value that is read. Raises `CommandError` if it states the machine."""
    if word.text in PASSES_ON:
        inner = _next(remaining, word, options)
        if OF_FRONT_END.match(inner.text):
            raise _not_read(inner, options)
        options.others += [word, inner]
    elif OF_MACHINE.fullmatch(word.text):
        raise _not_read(word, options)
    elif word.text in WITH_VALUE:
        options.others += [word, *([remaining.popleft()] if remaining else [])]
    elif MACHINE.match(word.text):
        _add_machine_flag(options, word)
    else:
        options.others.append(word)


def _value(word: Word, remaining: deque[Word], options: Options) -> Word:
    """Return the value of an option: after `=`, or the next word."""
    name, equals, value = word.text.partition("=")
    if equals:
        return Word(value, word.offset + len(name) + 1)
    return _next(remaining, word, options)


def _add(options: Options, name: str, word: Word) -> None:
    options.stated.setdefault(name, []).append(word)


def _next(remaining: deque[Word], word: Word, options: Options) -> Word:
    if not remaining:
        raise options.error("OPTION_INVALID", f"{echo(word.text)} has no value", word)
    return remaining.popleft()


def _add_machine_flag(options: Options, word: Word) -> None:
    """Add a feature of x86; raise `CommandError` for other flags that may change the machine."""
    flag = word.text.removeprefix("-m")
    name = flag.removeprefix("no-")
    if word.text in SSE4:
        _add(options, FEATURE, Word(SSE4[word.text], word.offset))
    elif name in FEATURES_OF_X86:
        sign = "-" if flag != name else "+"
        _add(options, FEATURE, Word(f"{sign}{name}", word.offset))
    elif TUNING.match(word.text):
        options.others.append(word)
    else:
        raise _not_read(word, options)


def _not_read(word: Word, options: Options) -> CommandError:
    message = f"{echo(word.text)} is not read, and may be about the machine"
    return options.error("OPTION_UNKNOWN", message, word, "the command without it")
