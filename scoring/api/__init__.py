"""The API of sheets, hands and points: thin functions over `queries`, `domain` and the engine."""
