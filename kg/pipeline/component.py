"""The shape of a component: predict touches no Doc, set_annotations only writes down."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Generic, TypeVar

from spacy.tokens import Doc
from spacy.util import minibatch

Prediction = TypeVar("Prediction")


class Component(Generic[Prediction]):
    """Base of kg's components: a subclass says what ``predict_one`` finds and where ``set_annotations`` writes it."""

    def __call__(self, doc: Doc) -> Doc:
        """Read one Doc."""
        self.set_annotations([doc], self.predict([doc]))
        return doc

    def pipe(self, stream: Iterable[Doc], *, batch_size: int = 64) -> Iterator[Doc]:
        """Read a stream of Docs in batches; the results do not depend on the batch size."""
        for docs in minibatch(stream, batch_size):  # type: ignore[no-untyped-call]
            self.set_annotations(docs, self.predict(docs))
            yield from docs

    def predict(self, docs: Sequence[Doc]) -> list[Prediction]:
        """What is found in each Doc; nothing is changed."""
        return [self.predict_one(doc) for doc in docs]

    def predict_one(self, doc: Doc) -> Prediction:
        """What is found in one Doc; nothing is changed."""
        raise NotImplementedError

    def set_annotations(self, docs: Sequence[Doc], predictions: Sequence[Prediction]) -> None:
        """Write down what was found."""
        raise NotImplementedError
