"""The terms by which search finds tags."""

import pytest
from hypothesis import given, strategies as st

from registry.domain.document import Json
from registry.domain.search import search_terms
from registry.domain.search.attributes import IndexedValue, attributes
from registry.domain.search.search_terms import (
    MAX_TERM,
    TermField,
    Terms,
    name_terms,
    repeated,
    split_words,
    tag_terms,
    weight,
    weight_parts,
    with_machine_names,
)


def fields(terms: Terms) -> dict[str, TermField]:
    return {term: weight_parts(number)[0] for term, number in terms.weights.items()}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("GeForce RTX-4090", ["geforce", "rtx", "4090"]),
        ("sm_80", ["sm", "80"]),
        ("Xeon 8480+", ["xeon", "8480", "plus"]),
        ("+neon", ["neon"]),
        ("a" * 99, ["a" * MAX_TERM]),
        ("日本 % /", []),
    ],
)
def test_words_are_letters_and_digits_in_lower_case(text: str, words: list[str]) -> None:
    assert split_words(text) == words


def test_a_name_has_its_words_members_and_neighbours() -> None:
    terms = fields(name_terms("st/stm32h743-zero-2"))
    whole = {"stm32h743zero2", "ststm32h743zero2"}
    assert {term for term, field in terms.items() if field is TermField.NAME} == whole
    assert {"st", "stm32h743", "h743", "zero2", "zero", "2", "ststm32h743"} <= terms.keys()


@pytest.mark.parametrize(
    ("name", "part"),
    [("a/12700h", "h"), ("a/rtx4090", "4090"), ("a/esp32c3", "c3"), ("a/stm32h743", "743")],
)
def test_nothing_is_split_inside_a_word(name: str, part: str) -> None:
    assert part not in name_terms(name).weights


def test_a_name_also_counts_from_every_slash() -> None:
    terms = fields(name_terms("aws/cpu/c5.large"))
    assert terms["c5large"] is terms["cpuc5large"] is terms["awscpuc5large"] is TermField.NAME


def test_typos_are_mended_in_words_and_series() -> None:
    assert {"stm32h743", "stm32", "st"} <= name_terms("st/stm32h743").words


@given(st.sampled_from(TermField), st.integers(0, 99))
def test_weights_keep_the_field_and_a_limited_number_of_words(field: TermField, size: int) -> None:
    number, limited = weight(field, size), min(size, search_terms.MAX_SIZE)
    assert weight_parts(number) == (field, limited, False)
    assert weight_parts(repeated(number)) == (field, limited, True)
    assert number > repeated(number) == repeated(repeated(number))


def test_a_word_of_the_name_that_is_a_whole_value_too_is_repeated() -> None:
    weights = tag_terms("acme/gpu-1", attributes({"kind": "gpu"}), vendor="", arch="").weights
    assert weight_parts(weights["gpu"]) == (TermField.FACT, 2, True)
    assert weight_parts(weights["1"]) == (TermField.WORD, 2, False)


def test_terms_of_two_names_keep_the_better_weight_and_are_repeated() -> None:
    terms = name_terms("acme/big-board").union(name_terms("acme/board"))
    assert weight_parts(terms.weights["board"]) == (TermField.NAME, 1, True)
    assert weight_parts(terms.weights["big"]) == (TermField.WORD, 2, False)
    assert terms.words == {"acme", "big", "board"}


TARGET: Json = {
    "kind": "cuda",
    "arch": "sm_89",
    "mattr": ["+fast", "-slow"],
    "num-cores": 12,
    "hardware": {"vendor": "Acme Corp", "model": "Wonder 5", "family": "Ada", "category": "gpu"},
    "host": {"kind": "llvm", "mcpu": "haswell", "hardware": {"category": "board"}},
}


def test_terms_of_a_target_stand_in_the_fields_of_its_values() -> None:
    terms = tag_terms("acme/w5", attributes(TARGET), vendor="Acme Corp", arch="sm_89")
    found = fields(terms)
    assert found["acmecorp"] is TermField.VENDOR
    assert found["cuda"] is found["sm89"] is found["ada"] is found["gpu"] is TermField.FACT
    assert found["wonder5"] is TermField.PRODUCT
    assert found["wonder"] is TermField.MODEL
    assert found["corp"] is TermField.DETAIL
    assert found["fast"] is TermField.CODE
    assert found["haswell"] is found["llvm"] is TermField.PART
    assert not {"slow", "of", "12", "board"} & found.keys()


@pytest.mark.parametrize("model", ["Wonder 5", "Acme Corp Wonder 5"])
def test_a_maker_counts_as_such_although_the_model_begins_with_it(model: str) -> None:
    values = attributes({"hardware": {"vendor": "Acme Corp", "model": model}})
    found = fields(tag_terms("boards/w5", values, vendor="Acme Corp", arch=""))
    assert found["acmecorp"] is TermField.VENDOR
    assert found["wonder5"] is (TermField.PRODUCT if model == "Wonder 5" else TermField.MODEL)


def test_words_of_parts_are_not_mended() -> None:
    terms = tag_terms("acme/w5", attributes(TARGET), vendor="", arch="")
    assert {"wonder", "fast"} <= terms.words
    assert "haswell" not in terms.words


def test_the_core_of_an_apple_chip_is_no_word_of_it() -> None:
    terms = tag_terms("a/m2", attributes({"mcpu": "apple-a15"}), vendor="", arch="").weights
    assert "applea15" in terms
    assert "a15" not in terms


def test_the_number_of_terms_is_limited() -> None:
    values = [IndexedValue("/libs", "libs", f"lib{number}", None) for number in range(999)]
    terms = tag_terms("acme/w5", values, vendor="", arch="")
    assert len(terms.weights) <= search_terms.MAX_TERMS + len(name_terms("acme/w5").weights)


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_text_gives_terms_of_limited_length(name: str, value: str) -> None:
    values = [IndexedValue("/model", "model", value, None)]
    terms = tag_terms(f"a/{name}", values, vendor=value, arch=value)
    assert all(0 < len(term) <= MAX_TERM for term in terms.weights)


def test_two_numbers_of_a_machine_name_are_not_one() -> None:
    terms = with_machine_names(name_terms("apple/iphone-11"), ["iPhone12,5", "A2161"]).weights
    assert "a2161" in terms
    assert "iphone125" not in terms
