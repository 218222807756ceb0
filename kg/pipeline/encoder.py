"""The encoder's one pass over a text, kept on the Doc for the components that read it."""

from collections.abc import Sequence
from typing import cast

from spacy.language import Language
from spacy.tokens import Doc

from kg.pipeline.component import Component
from kg.pipeline.network import Encoding, Network, load_network

ENCODING = "kg_encoding"


class TextEncoder(Component[Encoding]):
    """Sets ``doc.user_data["kg_encoding"]``, which ``kg_roles`` removes when all have read it."""

    def __init__(self, network: Network) -> None:
        self.network = network

    def predict_one(self, doc: Doc) -> Encoding:
        """The encoding of a Doc's text."""
        return self.network.encode(doc.text)

    def set_annotations(self, docs: Sequence[Doc], predictions: Sequence[Encoding]) -> None:
        """Keep the encodings."""
        for doc, encoding in zip(docs, predictions, strict=True):
            doc.user_data[ENCODING] = encoding


def encoding_of(doc: Doc) -> Encoding:
    """The encoding that ``kg_encoder`` left on a Doc."""
    return cast(Encoding, doc.user_data[ENCODING])


@Language.factory("kg_encoder", assigns=["doc.user_data"], default_config={"convention": "abstracts"})
def create_encoder(nlp: Language, name: str, model: str, convention: str) -> TextEncoder:
    """The component that runs the encoder of a model folder."""
    return TextEncoder(load_network(model, convention))
