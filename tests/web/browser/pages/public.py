"""The public pages."""

import json
from collections.abc import Iterator
from urllib.parse import quote

from playwright.sync_api import Page

from tests.web.browser.conftest import goto
from tests.web.browser.seed import LONG

NPU_BOARD = json.dumps(
    {
        "kind": "composite",
        "devices": {
            "cpu": {"kind": "llvm", "mcpu": "cortex-a55", "num-cores": 4},
            "npu": {
                "kind": "byoc",
                "codegen": "ethos-u",
                "devices": {"core": {"kind": "ext_dev", "model": "ethos-u65-256"}},
            },
        },
    }
)
PATHS = {
    "/": 200,
    "/tags/": 200,
    "/identify": 200,
    "/?q=jetson": 200,
    "/?q=geforce-rtx-4091": 200,
    "/?namespace=stage": 200,
    "/?q=jetson&kind=cuda&where=num-cores%3E%3D2&sort=published": 200,
    "/?sort=used": 200,
    "/?where=/hardware/category%3Dgpu&sort=memory": 200,
    "/?sort=best&view=maintainer": 200,
    "/?kind=cuda&sort=best&members=each&column=chip&column=memory": 200,
    "/?q=jetson&where=num-cores%3E%3Dmany": 400,
    "/?namespace=nvidai": 404,
    "/tags/nvidia/jetson-nano:cuda": 200,
    "/tags/aws/c4?sort=memory": 200,  # a family
    "/tags/aws/c4?page=9": 400,
    "/tags/example/two-machines": 200,
    "/tags/micro/aot": 200,
    "/tags/stage/large": 200,
    "/tags/arm/mate10": 200,  # with lints
    "/?q=mate10": 200,
    "/tags/stage/board@1.0.0": 200,
    f"/tags/{LONG}": 200,
    "/tags/stage/gone": 404,
    "/tags/nvidia/jetson-nanoo": 404,
    "/tags/XX": 400,
    "/tags/NVIDIA/Jetson Nanno": 400,
    "/tags/example/two-machines?take=clang": 200,
    "/tags/arm/soc?take=nothing": 400,
    "/resolved/nvidia/jetson-nano:cuda": 200,
    "/resolved/stage/large?page=3": 200,
    "/resolved/example/two-machines?node=/nowhere": 404,
    "/source/example/two-machines": 200,
    "/source/stage/large": 200,
    f"/source/{LONG}": 200,
    "/hardware/nvidia/jetson-nano:cuda": 200,
    f"/hardware/{LONG}": 200,
    "/formats/nvidia/jetson-nano:cuda": 200,
    "/formats/micro/aot": 200,
    "/formats/stage/large?node=/devices/device0": 200,
    "/diff/": 200,
    "/diff/nvidia/jetson-nano@1.0.0...nvidia/jetson-nano:cuda": 200,
    f"/diff/{LONG}...stage/large": 200,
    "/diff/arm/socc...arm/soc@9": 404,
    "/compare": 200,
    "/compare?tag=nvidia/jetson-nano:cuda&tag=arm/soc&tag=stage/board@1.0.0": 200,
    f"/compare?tag={LONG}&tag=stage/large&tag=micro/aot&tag=arm/soc&tag=stage/board": 200,
    "/runs-on": 200,
    "/runs-on?built_for=nvidia/jetson-nano:cuda&machine=arm/soc": 200,
    "/runs-on?built_for=arm/soc&machine=stage/board@1.0.0&ships=cubin&driver=570.26": 200,
    f"/runs-on?built_for={LONG}&machine={LONG}": 200,
    "/runs-on?built_for=arm/sco&machine=x&driver=new": 400,
    "/runs-on/nvidia/jetson-nano:cuda": 200,
    "/runs-on/arm/soc?direction=targets&verdict=no&namespace=stage&where=num-cores>=1": 200,
    f"/runs-on/{LONG}?verdict=unknown": 200,
    "/runs-on/arm/soc?verdict=maybe": 400,
    "/compare?tag=a/a&tag=a/b&tag=a/c&tag=a/d&tag=a/e&tag=a/f": 400,
    "/lineage/example/two-machines": 200,
    "/lineage/arm/soc": 200,
    "/composition/example/two-machines": 200,
    "/composition/stage/large": 200,
    "/composition/example/two-machines?node=/nowhere": 404,
    "/used-by/aws/c4.8xlarge": 200,
    "/versions/stage/board": 200,
    "/versions/stage/gone": 200,
    "/kinds/": 200,
    "/kinds/vulkan": 200,
    "/kinds/llvm?option=mcpuu": 400,
    "/namespaces/": 200,
    "/namespaces/stage": 200,
    "/namespaces/nvidia": 200,
    "/namespaces/nvidai": 404,
    "/users/paula": 200,
    "/users/catalogue": 200,
    "/users/nobody": 404,
    "/namespace-requests/1": 200,
    "/namespace-requests/3": 200,
    "/docs/": 200,
    "/docs/concepts": 200,
    "/docs/promises": 200,
    "/docs/discussion": 200,
    "/docs/formats": 200,
    "/docs/formats/tvm": 200,
    "/proposals/": 200,
    "/proposals/?state=all&namespace=stage&submitter=paula": 200,
    "/proposals/?state=lost": 400,
    "/proposals/1": 200,
    "/proposals/6": 200,
    "/proposals/1/changes/1...1": 200,
    "/proposals/99999": 404,
    "/submit": 200,
    "/submit?tag=nvidia/nvidia-a100": 200,
    "/submit?tag=XX": 400,
    "/submit?tag=nvidai/board": 200,
    f"/submit?start_from=text&tag=stage/npu&source={quote(NPU_BOARD)}": 200,
    "/report/nvidia/jetson-nano?fact=vendor": 200,
    "/report/micro/aot": 200,
    "/update/stage/follower": 200,
    "/update/arm/soc": 200,
    "/tags/stage/follower": 200,
    "/events": 200,
    "/accounts/login/": 200,
    "/accounts/signup/": 200,
    "/accounts/password/reset/": 200,
    "/problems": 200,
    "/catalogue": 200,
    "/api/v1/docs": 200,
    "/nowhere": 404,
}
SLOW_FOR_AXE = {  # long versions of other pages
    "/composition/stage/large",
    "/?q=geforce-rtx-4091",
    "/tags/example/two-machines",
    "/tags/micro/aot",
    "/tags/stage/large",
    "/kinds/vulkan",
    "/resolved/stage/large?page=3",
    "/source/stage/large",
    "/formats/stage/large?node=/devices/device0",
    f"/diff/{LONG}...stage/large",
    f"/compare?tag={LONG}&tag=stage/large&tag=micro/aot&tag=arm/soc&tag=stage/board",
}


def walk(page: Page) -> Iterator[str]:
    """Visit each page, yielding its path."""
    for path, status in PATHS.items():
        assert goto(page, path).status == status, path
        yield path
