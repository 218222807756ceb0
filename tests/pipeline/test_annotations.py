from spacy.tokens import Doc


def test_a_doc_survives_bytes_with_all_that_was_said(nlp, texts):
    doc = nlp(texts[0])
    copy = Doc(nlp.vocab).from_bytes(doc.to_bytes())
    for name in ("relations", "clusters", "roles", "abbreviations"):
        assert repr(getattr(copy._, name)) == repr(getattr(doc._, name))
    assert [e._.score for e in copy.ents] == [e._.score for e in doc.ents]


def test_an_untouched_doc_says_nothing(nlp, texts):
    doc = nlp.make_doc(texts[0])
    assert doc.text == texts[0]
    assert (doc._.relations, doc._.clusters, doc._.roles, doc._.abbreviations) == ((), (), (), ())


def test_a_score_can_be_set(nlp, texts):
    span = nlp.make_doc(texts[0])[1:3]
    assert span._.score == 1.0
    span._.score = 0.25
    assert span._.score == 0.25
