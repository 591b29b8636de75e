"""What the pairing functions raise when they are asked for something that cannot be."""


class PairingError(ValueError):
    """A request that no plan or draw can meet.

    Attributes: `code` (stable, for tests and translations), `zh` and `en` (a sentence for people:
    what is wrong and what to do).
    """

    def __init__(self, code: str, zh: str, en: str) -> None:
        super().__init__(en)
        self.code = code
        self.zh = zh
        self.en = en
