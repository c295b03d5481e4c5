"""The sandboxed proof: what a liar can make real compilers open, start and load through `ttag`.

    python -m tests.sandbox --texts 10000 --seed 1

generates bodies and texts as a lying registry, a lying mirror and a hostile curator would send
them, passes them through `ttag`, runs TVM, clang, IREE and CMake on whatever it lets through, and
prints what was refused where, and what the compilers did beyond an honest build.
"""
