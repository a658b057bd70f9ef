"""The hand-written second log agrees with every vector."""

from scripts.reading.log import main


def test_every_vector_holds_for_the_reference() -> None:
    main()
