"""Patterns of products as shops and people write them: the words that tell machines apart.

A pattern takes every word that decides, such as `Ti`, `SUPER` and `Laptop GPU`, and ends before the
words of makers and marketing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial

from registry.domain.search import part_numbers
from registry.domain.search.word_lists import SUFFIXES

B = r"[ _-]?"  # between the parts of a name, which people also join
# A name does not end before a word that decides, nor in a list such as `XT/7900 XTX`. A Galaxy Note
# 10.1 is no Note 10, nor would an RTX 4090+ be a 4090.
END = r"(?![A-Za-z0-9]|/\d|/XT|/Ti|\.\d|\+(?!\+? ?\w))"


@dataclass(frozen=True, slots=True)
class ProductPattern:
    """A line of products; a name begins with `prefix` where the text leaves it out.

    GPUs and boards are sold with their memory, so that a size after the name is theirs. A pattern
    with a context is too short to be a product in a text without such a word.
    """

    pattern: re.Pattern[str]
    prefix: str = ""
    is_gpu: bool = False
    is_board: bool = False
    context: re.Pattern[str] | None = None

    @property
    def maker(self) -> str:
        """Return who makes the GPUs of the line; where no prefix says it, the name does."""
        return self.prefix.partition(" ")[0] or "NVIDIA"


def _pattern(
    text: str,
    prefix: str = "",
    *,
    context: str = "",
    is_gpu: bool = False,
    is_board: bool = False,
) -> ProductPattern:
    """Compile a pattern: `~` is where parts of a name meet, joined or not."""
    joined = text.replace("~", B)
    pattern = re.compile(rf"(?<![\w.-])(?:{joined}){END}", re.IGNORECASE | re.ASCII)
    near = re.compile(context, re.IGNORECASE | re.ASCII) if context else None
    return ProductPattern(pattern, prefix, is_gpu, is_board, near)


def _size_of(words: str) -> re.Pattern[str]:
    """Compile what follows a size of something else than a card's or board's memory."""
    before = r"[ \t]{0,20}(?:/[ \t]{0,20})?"
    return re.compile(rf"{before}(?:{words})", re.IGNORECASE | re.ASCII)


_gpu = partial(_pattern, is_gpu=True)
_board = partial(_pattern, is_board=True)
OF_GPUS = r"\b(?:gpus?|nvidia|cuda|vram|hbm\w*|rocm|pytorch|torch|tensor cores?)\b"
GEFORCE = _gpu(
    r"(?:NVIDIA~)?(?:GeForce~)?(?<!Quadro )"
    r"(?P<name>(?:RTX|GTX|GTS|GT)~(?!\d000)\d{3,4}(?>MX|M|A|D|)"
    r"(?>~Ti|)(?>~SUPER|)(?>~D\b|)"
    r"(?>~(?:Laptop~GPU|Laptop|Mobile|(?:with~)?Max-Q(?:~Design)?)|))",
    "NVIDIA GeForce ",
)
PATTERNS = (
    GEFORCE,
    _gpu(
        r"(?:NVIDIA~)?(?P<name>RTX~(?:PRO~\d{4}~Blackwell"
        r"(?>~(?:Max-Q~)?(?:Workstation|Server)~Edition|)"
        r"|A\d{3,4}[A-Z]?+|\d{4}~(?>SFF~|)Ada(?>~Generation|))"
        r"(?>~Laptop~GPU|))",
        "NVIDIA ",
    ),
    _gpu(
        r"(?:NVIDIA~)?(?P<name>Quadro~(?:RTX~\d000|[A-Z]{0,2}~?\d{3,4}[A-Z]{0,2})(?>~Mobile|))",
        "NVIDIA ",
    ),
    _gpu(r"(?:NVIDIA~)?(?P<name>NVS~\d{3,4}M?)", "NVIDIA "),
    _gpu(r"NVIDIA~(?P<name>T\d{3,4}e?(?>~\d~GB|))", "NVIDIA "),
    _gpu(r"(?:NVIDIA~)?(?P<name>GeForce~(?:MX)?\d{3}[AM]?X?(?>~Mobile|))", "NVIDIA "),
    _gpu(
        r"(?:NVIDIA~)(?P<name>(?:A100|A800|H100|H200|H800|V100|B200|B300|GH200|GB200|L40S|P100)"
        r"(?>~(?:PCIe|SXM\d?|NVL|HGX)|)(?>~\d{2,3}~GB|)(?>~(?:PCIe|HBM\de?|NVL)|))",
        "NVIDIA ",
    ),
    _gpu(r"(?P<name>[AHV][12]00-(?:PCIE|SXM\d?)-\d{2,3}GB)", "NVIDIA "),
    _gpu(
        r"(?P<name>(?:A100|A800|H100|H200|H800|V100|B200|B300|GH200|GB200|L40S|P100)"
        r"(?>~(?:PCIe|SXM\d?|NVL|HGX)|)(?>~\d{2,3}~GB|)(?>~(?:PCIe|HBM\de?|NVL)|))",
        "NVIDIA ",
        context=OF_GPUS,
    ),
    _gpu(
        r"(?P<name>(?:NVIDIA|Tesla)~(?:[VP]100(?>~(?:PCIe|SXM\d?)|)(?>~\d{2}~GB|)|[TL]4G?|L\d{2}S?"
        r"|A\d{1,2}G?|[MPK]\d{1,2})|NVIDIA~TITAN~(?:RTX|Xp|X|V))"
    ),
    _gpu(
        r"(?:AMD~)?(?:Radeon~)?(?P<name>RX~(?:Vega~\d{2}|\d{3,4}(?>MT|[MS]|)(?>~(?:XTX|XT|GRE)|)))",
        "AMD Radeon ",
    ),
    _gpu(
        r"(?:AMD~)?(?P<name>Radeon~(?:(?>AI~|)PRO~(?>WX~|W|R|V|)\d{3,4}[A-Z]?+|VII"
        r"|R[579]~\w{3,5}|Vega~\d{1,2}|\d{3,4}[MS]))",
        "AMD ",
    ),
    _gpu(r"(?:AMD~)?(?:Radeon~)?Instinct~(?P<name>MI\d{2,3}[XAP]?)", "AMD Instinct "),
    _gpu(r"(?:AMD~)?(?P<name>MI\d{3}[XAP]?)", "AMD Instinct "),
    _gpu(
        r"(?:Intel~)?(?P<name>Arc~(?:Pro~)?[AB]\d{2,3}[EM]?|Data~Center~GPU~(?:Max|Flex)~\d{3,4})",
        "Intel ",
    ),
    _pattern(r"(?:AMD~)?(?:Ryzen~)?(?P<name>Threadripper~(?>PRO~|)\d{4}(?:WX|XE|X))", "AMD Ryzen "),
    _pattern(
        r"(?:AMD~)?(?P<name>Ryzen~(?:AI~(?>Max\+?~|)(?>PRO~|)(?>[3579]~|)(?>HX~|)\d{3}"
        r"|[3579]~(?>PRO~|)\d{4}(?>[A-Z]{1,2}\d?[A-Z]?\d?|)))",
        "AMD ",
    ),
    _pattern(r"(?:AMD~)?(?P<name>EPYC~\d[\dA-Z]{2}\d[A-Z]{0,2}+)", "AMD "),
    _pattern(
        r"(?:Intel(?:\(R\))?~)?(?:Core(?:\(TM\))?~)?(?P<name>i[3579]-N?\d{3,5}[A-Z]{0,3}+\d?[A-Z]?)",
        "Intel Core ",
    ),
    _pattern(
        r"(?:Intel(?:\(R\))?~)?"
        r"(?P<name>Core~(?:i[3579] \d{3,5}[A-Z]{0,3}|Ultra~[3579]~\d{3}[A-Z]{0,2}+(?>~Plus\b|)))",
        "Intel ",
    ),
    _pattern(
        r"(?:Intel(?:\(R\))?~)?(?P<name>Xeon~(?:(?:Gold|Platinum|Silver|Bronze|Max)~\d{4}[A-Z+]{0,2}+"
        r"|[DEW]-\d{4,5}[A-Z]{0,3}+|W[3579]-\d{4}[A-Z]?+|E[357]-\d{4}[A-Z]?+(?>~v\d|)|\d{4}[EP]))",
        "Intel ",
    ),
    _pattern(
        r"Intel~(?P<name>(?:Celeron|Pentium(?>~(?:Silver|Gold)|)|Atom)~[A-Z]{0,2}\d{3,4}[A-Z]{0,3}+)",
        "Intel ",
    ),
    _pattern(r"Intel~(?:Processor~)?(?P<name>N\d{2,3})", "Intel "),
    _pattern(
        r"(?:Apple~|(?:MacBook~(?:Pro|Air)|Mac~mini|iMac|Mac~Studio)[^\n\d]{0,12}(?:1[3-6][^\n\d]{0,12})?)"
        r"(?P<name>M[1-9](?>~(?:Pro|Max|Ultra|Extreme)\b|))",
        "Apple ",
    ),
    _pattern(
        r"(?:Qualcomm~)?(?P<name>Snapdragon~(?:8~Elite|X~(?:Elite|Plus)|\ds?~?\+?~Gen~\d\+?|\d{3}G?\+?))"
    ),
    _board(
        r"(?P<name>Raspberry~Pi~(?:Zero(?>~2|)(?>~W|)|Pico(?>~2|)(?>~W|)|Compute~Module~\d|[45]00"
        r"|\d~Model~[AB]\+?|\d[AB]?+\+?|Model~[AB]\+?(?>~rev~?2|)))"
    ),
    _board(
        r"(?:NVIDIA~)?(?P<name>Jetson~(?>AGX~|)(?:Orin|Xavier|Thor|Nano|TX[12]|TK1)(?>~(?:Nano|NX)|)"
        r"(?>~Super|))",
        "NVIDIA ",
    ),
    # Apple's identifiers count otherwise than its names: iPhone16,1 is an iPhone 15 Pro.
    _pattern(
        r"(?P<name>(?:iPhone|iPad|iPod|iMac(?:Pro)?|Mac(?:Book(?:Air|Pro)?|mini|Pro)?)\d\d?,\d\d?)"
    ),
    _pattern(
        r"(?P<name>iPhone~(?:\d{1,2}e?|SE|X[SR]?)(?>(?:~(?:Pro|Plus|mini|Max)\b){0,2}))", "Apple "
    ),
    _pattern(r"(?:Google~)?(?P<name>Pixel~\d{1,2}a?(?>(?:~(?:Pro|XL|Fold)\b){0,2}))", "Google "),
    _pattern(
        r"(?:Samsung~)?(?P<name>Galaxy~(?:[AMS]\d{1,2}[es]?|Note~\d{1,2})(?>(?:~(?:Ultra|Plus|FE|5G|4G)\b){0,2})\+?)",
        "Samsung ",
    ),
    _pattern(r"(?P<name>STM32(?:[A-Z]\d|WB|WL|MP)[0-9A-Z]{2,8})"),
    *map(_pattern, part_numbers.ESPRESSIF),
    _pattern(r"(?P<name>ESP32-[A-Z]\d|nRF5[234][0-9L]{2,3}\d?|RP2040|RP2350)"),
)
# The chip of a Snapdragon, of which several can have one name.
CHIP = re.compile(
    r"[^\n(,;/|]{0,20}\(?\b(?P<code>(?:SM|SDM|MSM|SC|APQ|QC[MS])\d{3,4})\)?",
    re.IGNORECASE | re.ASCII,
)

MEMORY = re.compile(
    r"(?<![\w.])(?P<size>\d{1,3}) ?(?:GB?|GiB)(?![A-Za-z0-9/])", re.IGNORECASE | re.ASCII
)
STORAGE = r"SSD|HDD|NVMe|storage|eMMC|UFS|M\.2|flash|(?:micro)?SD"
OTHER_MEMORY = _size_of(rf"{STORAGE}|RAM|system|LPDDR")
OTHER_MEMORY_OF_BOARDS = _size_of(STORAGE)
# The architecture of a GPU right behind its name: `RX 6800 XT (gfx1030)`.
ARCHITECTURE = re.compile(
    r"[ \t]{0,3}[,;:(]?[ \t]{0,3}(?:(?P<sm>sm_[0-9]{2,3}a?)|(?P<gfx>gfx[0-9a-f]{3,4})"
    r"|(?:compute capability|CC) (?P<major>[0-9]{1,2})\.(?P<minor>[0-9]))(?![\w.])",
    re.IGNORECASE | re.ASCII,
)
# Words that tell products apart although others can stand before them: `6GB Laptop GPU`.
DECIDING_OF_GPUS = re.compile(
    r"Ti|SUPER|XTX?|GRE|Laptop|Mobile|Max-Q|LE|SE|v[1-9]|Refresh|Embedded|Server|Workstation|FHHL"
    r"|SXM\d?|PCIe|NVL|DGXS|\d{4}SP",
    re.IGNORECASE | re.ASCII,
)
# Right after its name, these make another GPU of it: there is no RTX 4090 Pro. The others say how a
# card is built: Founders Edition, or its size.
MAKES_ANOTHER = SUFFIXES - {"edge", "fe", "mini", "slim", "turbo"}
# The same of processors and boards, which are sold in a mini PC or a laptop.
MAKES_ANOTHER_CHIP = frozenset(
    {"d", "ii", "iii", "iv", "k", "kf", "s", "se", "super", "t", "ti", "x", "xt", "z"}
)
# A GPU of one of these makers has no word of another right before it: there is no AMD RTX 4090.
MAKERS = {
    "AMD": {"amd", "ati", "radeon", "firepro", "instinct"},
    "Apple": {"apple"},
    "Intel": {"arc", "intel"},
    "NVIDIA": {"geforce", "nvidia", "quadro", "tesla", "titan"},
    "Qualcomm": {"adreno", "qualcomm"},
}
DECIDING = re.compile(
    r"Plus|Ultra|Pro|Max|FE|XL|mini|nano|Model|rev\d?|v[1-9]|Lite|GPU", re.IGNORECASE
)
FOLLOWING = re.compile(r"[ _-](?P<word>[A-Za-z0-9.+]+(?:-Q)?)", re.ASCII)
MAX_FOLLOWING = 5  # words after a name that can belong to it
LAPTOP = re.compile(
    r"\b(?:laptop|notebook|mobile workstation|legion|zephyrus|razer blade|katana|raider|thinkpad"
    r"|predator helios|ideapad|vivobook|zenbook|xps 1\d|omen 1\d|victus)\b",
    re.IGNORECASE | re.ASCII,
)
# A product after these words is compared with, or asked for; it is not the machine.
MENTIONED = re.compile(
    r"\b(?:support(?:s|ed)?|requires?|required|requirements?|minimum|recommend(?:ed|s)?|at least"
    r"|compatible with|tested (?:on|with)|such as|e\.g\.|similar to|better than|faster than"
    r"|slower than|vs\.?|versus|instead of|unlike|compared (?:to|with)|upgrade from|or better"
    r"|replaces?|alternatives? to|equivalent (?:to|of))\b[^\n]{0,80}$",
    re.IGNORECASE | re.ASCII,
)
BRANDS = frozenset(
    {
        *("asus", "msi", "gigabyte", "evga", "zotac", "palit", "pny", "inno3d", "gainward"),
        *("galax", "sapphire", "powercolor", "xfx", "asrock", "biostar", "colorful", "kfa2"),
        *("manli", "acer", "lenovo", "dell", "hp", "yeston", "maxsun", "sparkle", "gunnir"),
        *("leadtek", "visiontek"),
    }
)
MARKETING = frozenset(
    {
        *("gaming", "trio", "ventus", "suprim", "strix", "tuf", "rog", "dual", "phoenix", "aorus"),
        *("eagle", "windforce", "twin", "edge", "amp", "trinity", "pulse", "nitro", "nitro+"),
        *("red", "devil", "dragon", "fighter", "hellhound", "speedster", "merc", "qick", "swft"),
        *("xlr8", "oc", "edition", "black", "silver", "white", "lp", "overclocked", "rgb"),
        *("graphics", "card", "challenger", "phantom", "taichi", "legend", "jetstream", "gamerock"),
        *("gamingpro", "ichill", "ftw3", "xc", "sealed", "boxed", "retail", "video", "new"),
    }
)
AFTER_GAMING = frozenset({"x", "z", "slim", "plus", "pro"})  # `Gaming X Trio`
