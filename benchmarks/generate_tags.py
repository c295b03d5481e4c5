"""Generate a large registry: 100,000 synthetic but realistic tags.

    python -m benchmarks.generate_tags 100000   into the database configured in the environment

Rows are inserted through the models without validation; the services rebuild the search index, as
after a migration.
"""

from __future__ import annotations

import json
import os
import random
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from benchmarks.environments import print_line

if TYPE_CHECKING:
    from registry.models import Tag

SEED = 4090
BATCH = 5000  # tags inserted at a time
SHARES = {"deprecated": 0.04, "yanked": 0.02, "alias": 0.04, "composite": 0.04, "mixin": 0.01}

GPU_FEATURES = {"max_threads_per_block": (256, 512, 1024), "thread_warp_size": (32, 64)}
X86 = ("x86_64-unknown-linux-gnu", ("haswell", "skylake-avx512", "cascadelake", "znver3", "znver4"))
ARM = ("aarch64-linux-gnu", ("cortex-a53", "cortex-a72", "cortex-a78", "neoverse-n1"))
BARE = ("thumbv7em-none-eabi", ("cortex-m4", "cortex-m7", "cortex-m33", "cortex-m55"))
RISCV = ("riscv64-unknown-linux-gnu", ("sifive-u54", "sifive-u74", "spacemit-x60"))
SM = tuple(f"sm_{number}" for number in (53, 61, 62, 70, 72, 75, 80, 86, 87, 89, 90, 100, 120))
GFX = ("gfx906", "gfx908", "gfx90a", "gfx942", "gfx1030", "gfx1100", "gfx1151", "gfx1201")

Machine = tuple[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Maker:
    """A manufacturer: how it names its products, and what they are compiled for."""

    namespace: str
    vendor: str
    kind: str
    archs: tuple[str, ...]  # of GPUs; CPUs are named by triple
    host: Machine
    families: tuple[str, ...]


MAKERS = (
    Maker("nvidia", "NVIDIA", "cuda", SM, X86, ("geforce-rtx", "geforce-gtx", "quadro", "tesla")),
    Maker("jetson", "NVIDIA", "cuda", SM, ARM, ("jetson-orin", "jetson-nano", "jetson-agx")),
    Maker("amd", "AMD", "rocm", GFX, X86, ("radeon-rx", "radeon-pro", "instinct-mi", "vega")),
    Maker("ryzen", "AMD", "llvm", (), X86, ("ryzen-7", "ryzen-9", "epyc", "threadripper")),
    Maker("intel", "Intel", "llvm", (), X86, ("core-i7", "core-i9", "xeon-gold", "atom-x")),
    Maker("arc", "Intel", "opencl", (), X86, ("arc-a", "arc-b", "iris-xe", "flex")),
    Maker("apple", "Apple", "metal", (), ARM, ("m1-gpu", "m2-gpu", "m3-max", "a17-pro")),
    Maker("qualcomm", "Qualcomm", "hexagon", ("v68", "v73", "v75"), ARM, ("hexagon", "qcs")),
    Maker("adreno", "Qualcomm", "opencl", (), ARM, ("adreno", "snapdragon-8", "snapdragon-x")),
    Maker("mali", "Arm", "opencl", (), ARM, ("mali-g", "mali-t", "immortalis-g")),
    Maker("cortex", "Arm", "c", (), BARE, ("cortex-m", "corstone", "mps3-an")),
    Maker("st", "STMicroelectronics", "c", (), BARE, ("stm32f", "stm32h", "stm32u", "nucleo-l")),
    Maker("nxp", "NXP", "c", (), BARE, ("imxrt", "lpc", "kinetis-k", "mcx-n")),
    Maker("imx", "NXP", "llvm", (), ARM, ("imx8m", "imx93", "layerscape")),
    Maker("ti", "Texas Instruments", "llvm", (), ARM, ("am62", "am68", "tda4", "sitara-am")),
    Maker("renesas", "Renesas", "c", (), BARE, ("ra", "rz-v", "rcar-v")),
    Maker("microchip", "Microchip", "c", (), BARE, ("sam-e", "pic32cz", "polarfire-mpf")),
    Maker("nordic", "Nordic", "c", (), BARE, ("nrf52", "nrf53", "nrf91")),
    Maker("rockchip", "Rockchip", "llvm", (), ARM, ("rk33", "rk35", "rv11")),
    Maker("allwinner", "Allwinner", "llvm", (), ARM, ("a", "h", "d1-v")),
    Maker("mediatek", "MediaTek", "llvm", (), ARM, ("dimensity", "genio", "helio-g")),
    Maker("samsung", "Samsung", "vulkan", (), ARM, ("exynos", "xclipse")),
    Maker("raspberry-pi", "Raspberry Pi", "llvm", (), ARM, ("4b-rev", "5-rev", "zero-2w-rev")),
    Maker("sifive", "SiFive", "llvm", (), RISCV, ("u", "p", "x", "unmatched-rev")),
    Maker("starfive", "StarFive", "llvm", (), RISCV, ("jh", "visionfive-v")),
    Maker("ampere", "Ampere", "llvm", (), ARM, ("altra-q", "altra-max-m", "ampereone-a")),
    Maker("aws", "Amazon", "llvm", (), X86, ("c5", "c6i", "m5", "m6i", "r7", "g5")),
    Maker("azure", "Microsoft", "llvm", (), X86, ("standard-d", "standard-nc", "standard-hb")),
    Maker("gcp", "Google", "llvm", (), X86, ("n2-standard", "c3-highcpu", "a2-ultragpu")),
    Maker("imagination", "Imagination", "vulkan", (), ARM, ("bxm", "axe", "powervr-ge")),
)
ENDINGS = ("", "", "", "-ti", "-super", "-max-q", "m", "x", "-kit", "-industrial", "-16gb", "-v2")
VARIANTS = ("", "", ":linux", ":linux", ":linux-aot", ":bare")  # half contain "linux"


def main(count: int) -> None:
    """Fill the database up to this number of tags."""
    import django  # noqa: PLC0415 - needs a database

    os.environ["DJANGO_SETTINGS_MODULE"] = "registry.settings"
    django.setup()
    from django.db import connection  # noqa: PLC0415 - after django.setup()

    from registry.models import Tag  # noqa: PLC0415
    from registry.services.search import indexing  # noqa: PLC0415

    start = time.perf_counter()
    missing = count - Tag.objects.count()
    _insert(missing)
    inserted = time.perf_counter()
    indexing.rebuild_index()
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("VACUUM ANALYZE")  # autovacuum would run it soon
    insertion, indexing_time = inserted - start, time.perf_counter() - inserted
    print_line(
        f"{missing:,} tags inserted in {insertion:.0f} s, search index in {indexing_time:.0f} s"
    )


def names(dice: random.Random) -> Iterator[tuple[Maker, str, str]]:
    """Yield makers, families and unique names, without end."""
    seen = set()
    while True:
        maker = dice.choice(MAKERS)
        family = dice.choice(maker.families)
        number = dice.choice((10, 10, 50, 1)) * dice.randrange(1, 1000)
        name = f"{maker.namespace}/{family}-{number}{dice.choice(ENDINGS)}{dice.choice(VARIANTS)}"
        if name not in seen:
            seen.add(name)
            yield maker, family, name


def target(dice: random.Random, maker: Maker, family: str) -> dict[str, Any]:
    """Return a target with 10 to 20 values."""
    chance = dice.random()
    if chance < SHARES["mixin"]:
        return {"executor": {"kind": "aot", "unpacked-api": True}, "runtime": {"kind": "crt"}}
    host = _cpu(dice, maker.host, "llvm")
    if maker.kind in ("llvm", "c"):
        node = {**_cpu(dice, maker.host, maker.kind), **_facts(dice, maker, family)}
    else:
        node = {**_gpu(dice, maker), "host": host, **_facts(dice, maker, family)}
    if chance < SHARES["mixin"] + SHARES["composite"]:
        return {"kind": "composite", "devices": {"accelerator": node, "cpu": host}}
    return node


def _cpu(dice: random.Random, machine: Machine, kind: str) -> dict[str, Any]:
    triple, cpus = machine
    node = {"kind": kind, "mcpu": dice.choice(cpus), "keys": ["cpu"]}
    if kind == "c":
        return {**node, "keys": ["arm_cpu", "cpu"], "executor": {"kind": "aot"}}
    features = dice.sample(("+avx2", "+fma", "+neon", "+dotprod", "+sve", "+v"), 2)
    return {**node, "mtriple": triple, "mattr": features, "num-cores": 2 ** dice.randrange(8)}


def _gpu(dice: random.Random, maker: Maker) -> dict[str, Any]:
    node: dict[str, Any] = {"kind": maker.kind, "keys": [maker.kind, "gpu"]}
    if maker.archs:
        node["mcpu" if maker.kind in ("rocm", "hexagon") else "arch"] = dice.choice(maker.archs)
    node |= {name: dice.choice(values) for name, values in GPU_FEATURES.items()}
    return {**node, "max_shared_memory_per_block": 1024 * dice.choice((32, 48, 64, 96, 164))}


def _facts(dice: random.Random, maker: Maker, family: str) -> dict[str, Any]:
    return {
        "hardware": {
            "vendor": maker.vendor,
            "family": family,
            "cores": dice.randrange(1, 129),
            "memory_bytes": 2**30 * dice.choice((1, 2, 4, 8, 16, 24, 48, 80)),
            "power_watts": dice.randrange(5, 700),
        }
    }


def _insert(count: int) -> None:
    """Insert tags with all rows that search and resolving need."""
    from django.db import transaction  # noqa: PLC0415 - after django.setup()

    from registry.models import Namespace, User  # noqa: PLC0415

    dice = random.Random(SEED)  # noqa: S311 - reproducible
    actor = User.objects.create_user("generator")
    for maker in MAKERS:
        Namespace.objects.get_or_create(name=maker.namespace, defaults={"title": maker.vendor})
    owners = {namespace.name: namespace for namespace in Namespace.objects.all()}
    generated = names(dice)
    for start in range(0, count, BATCH):
        products = [next(generated) for _ in range(min(BATCH, count - start))]
        with transaction.atomic():
            _Batch(dice, owners, actor, products).insert()


class _Batch:
    """A few thousand tags, inserted together."""

    def __init__(self, dice: random.Random, owners: Any, actor: Any, products: Any) -> None:
        from registry.models import Tag  # noqa: PLC0415 - after django.setup()

        self.dice, self.actor, self.products = dice, actor, products
        self.now = datetime.now(UTC)
        self.tags: list[Tag] = Tag.objects.bulk_create(
            Tag(text=name, namespace=owners[maker.namespace]) for maker, _, name in products
        )

    def insert(self) -> None:
        """Insert names, versions, yanks and deprecations."""
        self._names()
        self._versions()
        self._deprecations()

    def _sample(self, share: str) -> list[Tag]:
        return [tag for tag in self.tags if self.dice.random() < SHARES[share]]

    def _names(self) -> None:
        from registry.domain.names.name_folding import fold_name  # noqa: PLC0415
        from registry.models import Name  # noqa: PLC0415

        names = [(tag, tag.text, False) for tag in self.tags]
        aliases = [
            (tag, tag.text.replace("-", "_") + ",old", True) for tag in self._sample("alias")
        ]
        Name.objects.bulk_create(
            Name(
                text=text,
                tag_id=tag.pk,
                namespace_id=tag.namespace_id,
                is_alias=is_alias,
                folded=fold_name(text),
            )
            for tag, text, is_alias in (*names, *aliases)
        )

    def _versions(self) -> None:
        from registry.domain.document import canonical, digest  # noqa: PLC0415
        from registry.models import Version, Withdrawal  # noqa: PLC0415

        rows = []
        for tag, (maker, family, _) in zip(self.tags, self.products, strict=True):
            body = target(self.dice, maker, family)
            text = canonical(body).decode()
            rows.append(
                Version(
                    tag=tag,
                    major=1,
                    minor=0,
                    patch=0,
                    kind=body.get("kind", ""),
                    source=text,
                    target=text,
                    size=len(text),
                    digest=digest(text.encode()),
                    build_digest=f"bk1:{tag.pk:064x}" if "kind" in body else "",
                    is_host_dependent=False,
                    provenance="{}",
                    tuning_keys=json.dumps({"": f"tk1:{tag.pk:064x}"} if "kind" in body else {}),
                    lineage="[]",
                    dependencies="[]",
                    depth=0,
                    published=self.now,
                    publisher=self.actor,
                )
            )
        versions = {version.tag_id: version for version in Version.objects.bulk_create(rows)}
        Withdrawal.objects.bulk_create(
            Withdrawal(
                version=versions[tag.pk],
                sequence=1,
                yanked=True,
                reason="wrong figures",
                actor=self.actor,
            )
            for tag in self._sample("yanked")
        )

    def _deprecations(self) -> None:
        from registry.models import Deprecation  # noqa: PLC0415

        Deprecation.objects.bulk_create(
            Deprecation(
                tag=tag, sequence=1, deprecated=True, reason="no longer sold", actor=self.actor
            )
            for tag in self._sample("deprecated")
        )


if __name__ == "__main__":
    main(int(sys.argv[1]))
