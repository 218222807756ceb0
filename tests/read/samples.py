"""A few papers of our own, written out in every format the way its sources write it."""

import io
import json
from html import escape

PRUNING = (
    r"Pruning trees costs time. We propose \emph{TreeCut} (TC), which removes a branch when its $\ell_1$ weight is "
    r"below $10^{-3}$, and we show that TC is 20\% faster than \textbf{GreedyPrune} on the Orchard benchmark."
)
KERNELS = (
    "We study how kernels age. Our method, Kernel Patina, is trained on the Attic dataset and evaluated on two tasks: "
    "dust detection & rust segmentation."
)
WITHDRAWN = "This paper has been withdrawn by the authors, because Lemma 2 does not hold."
GERMAN = (
    "Wir stellen ein Verfahren vor, das die Äste eines Baums kürzt, und zeigen auf zwei Datensätzen, dass es mit "
    "weniger Speicher auskommt als die bisher bekannten Verfahren."
)

PAPERS = [
    {
        "key": "cutter2024", "title": "TreeCut: Pruning Trees by Weight", "abstract": PRUNING, "year": 2024,
        "venue": "Journal of Orchards", "doi": "10.5555/orchard.17", "arxiv": "2403.01234",
    },
    {
        "key": "patina2023", "title": "How Kernels Age", "abstract": KERNELS, "year": 2023,
        "venue": "Conference on Old Code", "doi": "10.5555/attic.3", "arxiv": "2301.00007",
    },
    {
        "key": "empty2022", "title": "A Talk Without an Abstract", "abstract": "", "year": 2022,
        "venue": "Workshop on Silence", "doi": "10.5555/silence.1", "arxiv": "2206.00042",
    },
    {
        "key": "gone2021", "title": "On a Lemma", "abstract": WITHDRAWN, "year": 2021,
        "venue": "Journal of Orchards", "doi": "10.5555/orchard.9", "arxiv": "2105.00321",
    },
    {
        "key": "ast2020", "title": "Bäume kürzen", "abstract": GERMAN, "year": 2020,
        "venue": "Tagung für Bäume", "doi": "10.5555/baum.2", "arxiv": "2010.05555",
    },
]  # fmt: skip
STATUSES = ["ok", "ok", "no-abstract", "withdrawn", "language"]


def rows(identifier, **fields):
    """The papers as JSON Lines records with this id each, with further fields of theirs."""
    wanted = ("title", "abstract", "year", "venue")
    return [
        {"id": identifier(p), **{k: p[k] for k in wanted}, **{k: make(p) for k, make in fields.items()}} for p in PAPERS
    ]


def lines(records):
    return "".join(json.dumps(r, ensure_ascii=False) + "\n" for r in records).encode()


def jsonl():
    return lines(rows(lambda p: p["key"], doi=lambda p: p["doi"])), rows(lambda p: p["key"], doi=lambda p: p["doi"])


def json_array():
    return json.dumps(jsonl()[1], indent=2).encode(), jsonl()[1]


def csv_table(delimiter=","):
    import csv

    out = io.StringIO()
    table = csv.writer(out, delimiter=delimiter)
    table.writerow(["ID", "Title", "Abstract", "Year", "Venue", "DOI"])
    table.writerows([[p["key"], p["title"], p["abstract"], p["year"], p["venue"], p["doi"]] for p in PAPERS])
    return out.getvalue().encode(), jsonl()[1]


def tsv_table():
    return csv_table("\t")


def parquet_table():
    import pyarrow as pa
    import pyarrow.parquet as pq

    out = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(jsonl()[1]), out)
    return out.getvalue(), jsonl()[1]


def bibtex():
    entries = ['% exported by hand\n@string{jo = "Journal of" # { Orchards}}\n']
    for p in PAPERS:
        venue = "jo" if p["venue"] == "Journal of Orchards" else f"{{{p['venue']}}}"
        title = p["title"].replace("TreeCut", "{TreeCut}").replace("ä", r"{\"a}")
        entries.append(
            f"@article{{{p['key']},\n  title = {{{title}}},\n  author = {{A. Cutter and B. Saw}},\n"
            f'  journal = {venue},\n  year = {p["year"]},\n  doi = "{p["doi"]}",\n  eprint = {{{p["arxiv"]}}},\n'
            f"  archivePrefix = {{arXiv}},\n  abstract = {{{p['abstract']}}}\n}}\n"
        )
    return "\n".join(entries).encode(), rows(lambda p: p["key"], doi=lambda p: p["doi"], arxiv=lambda p: p["arxiv"])


def ris():
    text = ""
    for p in PAPERS:
        abstract = f"AB  - {p['abstract']}\n" if p["abstract"] else ""
        text += (
            f"TY  - JOUR\nID  - {p['key']}\nTI  - {p['title']}\nAU  - Cutter, A.\nJO  - {p['venue']}\n"
            f"PY  - {p['year']}/05/01\nDO  - {p['doi']}\n{abstract}ER  - \n\n"
        )
    return text.encode(), rows(lambda p: p["key"], doi=lambda p: p["doi"])


def inverted(text):
    index = {}
    for i, word in enumerate(text.split(" ")):
        index.setdefault(word, []).append(i)
    return index


def openalex():
    works = [
        {
            "id": f"https://openalex.org/W{i}", "doi": f"https://doi.org/{p['doi'].upper()}", "title": p["title"],
            "publication_year": p["year"], "is_retracted": False, "ids": {"openalex": f"https://openalex.org/W{i}"},
            "primary_location": {
                "landing_page_url": f"https://doi.org/{p['doi']}", "source": {"display_name": p["venue"]},
            },
            "locations": [{"landing_page_url": f"http://arxiv.org/abs/{p['arxiv']}v1"}],
            "abstract_inverted_index": inverted(p["abstract"]) if p["abstract"] else None,
        }
        for i, p in enumerate(PAPERS, 1)
    ]  # fmt: skip
    numbers = {p["key"]: i for i, p in enumerate(PAPERS, 1)}
    return lines(works), rows(
        lambda p: f"openalex:W{numbers[p['key']]}",
        url=lambda p: f"https://doi.org/{p['doi']}",
        ids=lambda p: [f"doi:{p['doi']}", f"arxiv:{p['arxiv']}", f"arxiv:{p['arxiv']}v1"],
    )


def openalex_page():
    works, records = openalex()
    results = [json.loads(line) for line in works.splitlines()]
    return json.dumps({"meta": {"count": 5, "page": 1}, "results": results, "group_by": []}).encode(), records


def arxiv():
    entries = [
        {
            "id": p["arxiv"], "submitter": "A. Cutter", "authors": "A. Cutter", "title": p["title"],
            "comments": "12 pages", "journal-ref": p["venue"], "doi": p["doi"], "report-no": None,
            "categories": "cs.LG stat.ML", "license": None, "abstract": p["abstract"],
            "versions": [
                {"version": "v1", "created": f"Mon, 2 Apr {p['year']} 19:18:42 GMT"},
                {"version": "v2", "created": "Tue, 3 Jun 2025 10:00:00 GMT"},
            ],
            "update_date": "2025-06-03", "authors_parsed": [["Cutter", "A.", ""]],
        }
        for p in PAPERS
    ]  # fmt: skip
    return lines(entries), rows(
        lambda p: f"arxiv:{p['arxiv']}",
        url=lambda p: f"https://arxiv.org/abs/{p['arxiv']}",
        ids=lambda p: [f"arxiv:{p['arxiv']}v2", f"doi:{p['doi']}"],
    )


def s2():
    records = [
        {
            "corpusid": i, "externalids": {"DOI": p["doi"], "ArXiv": p["arxiv"], "ACL": None, "CorpusId": str(i)},
            "url": f"https://www.semanticscholar.org/paper/{i:040x}", "title": p["title"],
            "abstract": p["abstract"] or None,
            "venue": p["venue"], "year": p["year"], "citationcount": 3,
        }
        for i, p in enumerate(PAPERS, 1)
    ]  # fmt: skip
    numbers = {p["key"]: i for i, p in enumerate(PAPERS, 1)}
    return lines(records), rows(
        lambda p: f"s2:{numbers[p['key']]}",
        url=lambda p: f"https://www.semanticscholar.org/paper/{numbers[p['key']]:040x}",
        ids=lambda p: [f"doi:{p['doi']}", f"arxiv:{p['arxiv']}", f"s2:{numbers[p['key']]:040x}"],
    )


def openreview(wrap):
    notes = [
        {
            "id": f"Note{i}", "forum": f"Note{i}", "cdate": 1700000000000,
            "invitations": ["Old.Code/Conference/-/Submission"],
            "content": {
                name: wrap(value)
                for name, value in (
                    ("title", p["title"]), ("abstract", p["abstract"]), ("venue", f"{p['venue']} {p['year']}"),
                )
            },
        }
        for i, p in enumerate(PAPERS, 1)
    ]  # fmt: skip
    notes.insert(1, {"id": "Review", "forum": "Note1", "replyto": "Note1", "content": {"title": wrap("Good")}})
    numbers = {p["key"]: i for i, p in enumerate(PAPERS, 1)}
    records = rows(
        lambda p: f"openreview:Note{numbers[p['key']]}",
        url=lambda p: f"https://openreview.net/forum?id=Note{numbers[p['key']]}",
    )
    return notes, [r | {"venue": f"{r['venue']} {r['year']}"} for r in records]


def openreview_v1():
    notes, records = openreview(lambda value: value)
    return lines(notes), records


def openreview_v2():
    notes, records = openreview(lambda value: {"value": value})
    return json.dumps({"notes": notes, "count": len(notes)}).encode(), records


def acl_xml():
    volumes = ""
    for i, p in enumerate(PAPERS, 1):
        abstract = escape(p["abstract"], quote=False).replace("Kernel Patina", "<i>Kernel Patina</i>")
        abstract = abstract.replace(r"$\ell_1$", r"<tex-math>\ell_1</tex-math>")
        title = p["title"].replace("TreeCut", "<fixed-case>T</fixed-case>ree<fixed-case>C</fixed-case>ut")
        volumes += (
            f'<volume id="v{i}"><meta><booktitle>{p["venue"]}</booktitle><year>{p["year"]}</year></meta>'
            f'<frontmatter><url>2020.trees-v{i}.0</url></frontmatter><paper id="{i}"><title>{title}</title>'
            f"<author><first>A.</first><last>Cutter</last></author>"
            + (f"<abstract>{abstract}</abstract>" if abstract else "")
            + f'<url hash="0">2020.trees-v{i}.{i}</url><doi>{p["doi"]}</doi></paper></volume>\n'
        )
    numbers = {p["key"]: i for i, p in enumerate(PAPERS, 1)}

    def name(p):
        return f"2020.trees-v{numbers[p['key']]}.{numbers[p['key']]}"

    return (
        f"<?xml version='1.0' encoding='UTF-8'?>\n<collection id=\"2020.trees\">{volumes}</collection>".encode(),
        rows(
            lambda p: f"acl:{name(p)}",
            url=lambda p: f"https://aclanthology.org/{name(p)}",
            doi=lambda p: p["doi"],
        ),
    )


def acl_bibtex():
    entries = [
        f'@inproceedings{{{p["key"]},\n    title = "{p["title"]}",\n    booktitle = "{p["venue"]}",\n    month = jul,\n'
        f'    year = "{p["year"]}",\n    url = "https://aclanthology.org/2020.trees-main.{i}/",\n'
        f'    doi = "{p["doi"]}",\n    abstract = "{p["abstract"]}"\n}}\n'
        for i, p in enumerate(PAPERS, 1)
    ]
    numbers = {p["key"]: i for i, p in enumerate(PAPERS, 1)}
    return "".join(entries).encode(), rows(
        lambda p: p["key"],
        doi=lambda p: p["doi"],
        url=lambda p: f"https://aclanthology.org/2020.trees-main.{numbers[p['key']]}/",
    )


def paperlists():
    entries = [
        {
            "title": p["title"], "author": "A. Cutter", "site": f"https://openreview.net/forum?id={p['key']}",
            "id": p["key"], "track": "main", "status": "Poster", "abstract": p["abstract"], "rating_avg": [1, 2],
        }
        for p in PAPERS
    ]  # fmt: skip
    records = rows(lambda p: f"openreview:{p['key']}", url=lambda p: f"https://openreview.net/forum?id={p['key']}")
    return json.dumps(entries, indent=4).encode(), [r | {"venue": "TREES", "year": 2025} for r in records]


FORMATS = {
    "jsonl": ("x.jsonl", "jsonl", jsonl),
    "json": ("x.json", "json", json_array),
    "csv": ("x.csv", "csv", csv_table),
    "tsv": ("x.tsv", "csv", tsv_table),
    "parquet": ("x.parquet", "parquet", parquet_table),
    "bibtex": ("x.bib", "bibtex", bibtex),
    "acl-bibtex": ("anthology.bib", "bibtex", acl_bibtex),
    "ris": ("x.ris", "ris", ris),
    "openalex": ("works.jsonl", "openalex", openalex),
    "openalex-page": ("page.json", "openalex", openalex_page),
    "arxiv": ("arxiv-metadata-oai-snapshot.json", "arxiv", arxiv),
    "s2": ("s2.jsonl", "s2", s2),
    "openreview-v1": ("notes.jsonl", "openreview", openreview_v1),
    "openreview-v2": ("notes.json", "openreview", openreview_v2),
    "acl": ("2020.trees.xml", "acl", acl_xml),
    "paperlists": ("trees2025.json", "paperlists", paperlists),
}
"""Name -> file name, the format as detected, and what makes its bytes and the same papers as JSON Lines records."""
