"""The words that are typed, in the player's own language beside English.

Law: an English word means the same in every language; an own word is what the catalogue says for the English one, with or
without its accents, and means nothing else.
"""

import unicodedata
from collections.abc import Sequence
from typing import Final

from sm_p2p.ui.tongue import Language, mark

YES: Final = (mark("y"), mark("yes"))  # the letter and the word
NO: Final = (mark("n"), mark("no"))
SAMPLES: Final = (mark("hello"), mark("FILE"))  # what stands behind a word in a help, and is no word to be typed


def plain(text: str) -> str:
    """The text without capitals and accents.

    >>> plain("Não")
    'nao'
    """
    letters = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def own(word: str, language: Language) -> str:
    """The word in this language."""
    return language.gettext(word)


def english(word: str, vocabulary: Sequence[str], language: Language) -> str:
    """The word of the vocabulary that this is, in English or in the language; in small letters, if it is none."""
    typed = plain(word)
    if typed in vocabulary:
        return typed
    return next((known for known in vocabulary if plain(own(known, language)) == typed), word.lower())


def own_form(form: str, vocabulary: Sequence[str], language: Language) -> str:
    """What can be typed, with its words in the language."""
    known = {*vocabulary, *SAMPLES}
    return " ".join(own(word, language) if word in known else word for word in form.split(" "))


def both_forms(form: str, vocabulary: Sequence[str], language: Language) -> str:
    """What can be typed in the language and, where that is another word, in English."""
    ours = own_form(form, vocabulary, language)
    return form if ours == form else f"{ours}, {form}"


def answer(text: str, language: Language) -> bool | None:
    """Whether this says yes or no, in English or in the language; None if it is neither."""
    typed = plain(text)
    for said, means in ((YES, True), (NO, False)):
        if typed in said or typed in {plain(own(word, language)) for word in said}:
            return means
    return None
