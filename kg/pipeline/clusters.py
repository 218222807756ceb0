"""Which mentions of a document are one thing: the same name, an abbreviation and its long form, a stated synonym."""

from collections import Counter
from collections.abc import Sequence

from spacy.language import Language
from spacy.tokens import Doc

from kg.names import fold
from kg.pipeline.annotations import CLUSTERS, register
from kg.pipeline.component import Component


class EntityGrouper(Component[list[list[int]]]):
    """Sets ``doc._.clusters``."""

    def predict_one(self, doc: Doc) -> list[list[int]]:
        """Groups of indices of ``doc.ents``, each in text order, ordered by their first mention."""
        ents = doc.ents
        parent = list(range(len(ents)))

        def root(i: int) -> int:
            while parent[i] != i:
                i = parent[i]
            return i

        def join(i: int, j: int) -> None:
            a, b = sorted((root(i), root(j)))
            parent[b] = a

        first: dict[tuple[str, str], int] = {}
        for i, ent in enumerate(ents):
            join(i, first.setdefault((ent.label_, fold(ent.text)), i))
        place = {(ent.start, ent.end): i for i, ent in enumerate(ents)}
        synonyms = [r for r in doc._.relations if r.relation == "SYNONYM_OF"]
        # Two long forms for one short form contradict each other, whoever said so
        longs = Counter(key for r in {(fold(r.head.text), fold(r.tail.text)) for r in synonyms} for key in (r[0],))
        for r in synonyms:
            if longs[fold(r.head.text)] == 1 and r.head.label_ == r.tail.label_:
                join(place[r.head.start, r.head.end], place[r.tail.start, r.tail.end])
        groups: dict[int, list[int]] = {}
        for i in range(len(ents)):
            groups.setdefault(root(i), []).append(i)
        return list(groups.values())

    def set_annotations(self, docs: Sequence[Doc], predictions: Sequence[list[list[int]]]) -> None:
        """Write the groups."""
        for doc, groups in zip(docs, predictions, strict=True):
            doc.user_data[CLUSTERS] = groups


@Language.factory("kg_clusters", requires=["doc.ents", "doc._.relations"], assigns=["doc._.clusters"])
def create_clusters(nlp: Language, name: str) -> EntityGrouper:
    """The component that groups mentions."""
    register()
    return EntityGrouper()
