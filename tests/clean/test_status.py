"""Abstracts that hold nothing to extract: none, notices, other languages. All texts are made up."""

# ruff: noqa: E501 - a text a line is easier to check than a wrapped one

import pytest

from kg.clean.status import english, status

ABSTRACT = "We study how trees are pruned and show that the cut which removes the most weight is not the best one."


@pytest.mark.parametrize(
    "abstract",
    [
        "",
        "  \n",
        "N/A",
        "n/a.",
        "None",
        "-",
        "No abstract available.",
        "[no abstract]",
        "Abstract not available",
        "...",
        "TBD",
    ],
)
def test_no_abstract(abstract):
    assert status("A title", abstract) == "no-abstract"


@pytest.mark.parametrize(
    ("title", "abstract", "expected"),
    [
        ("", "This paper has been withdrawn by the author due to an error in Lemma 2.", "withdrawn"),
        ("", "This submission was withdrawn.", "withdrawn"),
        ("", "Withdrawn by the authors.", "withdrawn"),
        ("", "Withdrawn", "withdrawn"),
        ("", "The authors have withdrawn this manuscript for now.", "withdrawn"),
        ("", "This article has been retracted at the request of the editors.", "retracted"),
        ("", "[Retracted] This article was about trees.", "retracted"),
        ("", "This paper has been removed by arXiv administrators because of plagiarism.", "withdrawn"),
        ("RETRACTED: Pruning of trees", ABSTRACT, "retracted"),
        ("Retracted Article: Pruning of trees", ABSTRACT, "retracted"),
        ("Retraction note: Pruning of trees", ABSTRACT, "retracted"),
        ("WITHDRAWN: Pruning of trees", ABSTRACT, "withdrawn"),
        ("Retracted trees grow back", ABSTRACT, "ok"),
        ("Withdrawn agents: a study", ABSTRACT, "ok"),
        (
            "",
            "Drugs that were withdrawn from the market are studied, and we show that the most of them were safe.",
            "ok",
        ),
        ("", "This work was removed from the critical path by a scheduler that we describe in the paper.", "ok"),
        ("", "The retracted robot arm of the lander is modelled, and we show how it can be extended on ice.", "ok"),
    ],
)
def test_notices(title, abstract, expected):
    assert status(title, abstract) == expected


OTHER = {
    "German": "Wir stellen ein neues Verfahren vor, das die Äste eines Baums kürzt. In Versuchen auf zwei Datensätzen zeigen "
    "wir, dass es mit weniger Speicher auskommt als die bisher bekannten Verfahren und dabei genauer ist.",
    "French": "Nous présentons une nouvelle méthode qui taille les branches d'un arbre. Les essais sur deux jeux de données "
    "montrent que la méthode est plus rapide que les approches connues, avec une précision égale.",
    "Spanish": "Presentamos un nuevo método que poda las ramas de un árbol. Los experimentos con dos conjuntos de datos "
    "muestran que el método es más rápido que los conocidos y que su precisión es la misma.",
    "Portuguese": "Apresentamos um novo método que poda os ramos de uma árvore. Os testes com dois conjuntos de dados mostram "
    "que o método é mais rápido do que os conhecidos, com a mesma precisão.",
    "Italian": "Presentiamo un nuovo metodo che pota i rami di un albero. Le prove su due insiemi di dati mostrano che il "
    "metodo è più veloce di quelli noti, con la stessa precisione.",
    "Dutch": "We stellen een nieuwe methode voor die de takken van een boom snoeit. Proeven met twee verzamelingen laten "
    "zien dat de methode sneller is dan de bekende en even nauwkeurig blijft.",
    "Polish": "Przedstawiamy nową metodę, która przycina gałęzie drzewa. Próby na dwóch zbiorach danych pokazują, że metoda "
    "jest szybsza od znanych i nie traci na dokładności.",
    "Turkish": "Bu çalışmada bir ağacın dallarını budayan yeni bir yöntem sunuyoruz. İki veri kümesi üzerinde yapılan deneyler "
    "yöntemin bilinenlerden daha hızlı olduğunu ve aynı doğruluğu koruduğunu gösteriyor.",
    "Indonesian": "Kami menyajikan metode baru yang memangkas cabang pohon. Percobaan pada dua kumpulan data menunjukkan bahwa "
    "metode ini lebih cepat dari yang dikenal dan tidak mengurangi ketepatan.",
    "Russian": "Мы предлагаем новый метод, который обрезает ветви дерева, и показываем на двух наборах данных, что он быстрее.",
    "Chinese": "我们提出一种修剪树枝的新方法，并在两个数据集上表明该方法比已知方法更快。",
    "Japanese": "本論文では木の枝を剪定する新しい手法を提案し、二つのデータセットで既存手法より速いことを示す。",
    "Korean": "우리는 나뭇가지를 다듬는 새로운 방법을 제안하고 두 데이터 세트에서 더 빠르다는 것을 보인다.",
    "Arabic": "نقدم طريقة جديدة لتقليم أغصان الشجرة ونبين على مجموعتي بيانات أنها أسرع من الطرق المعروفة.",
    "Czech": "Představujeme novou metodu, která prořezává větve stromu. Pokusy na dvou sadách dat ukazují, že je metoda rychlejší "
    "než známé postupy a že se přesnost nemění.",
    "Swedish": "Vi beskriver en ny metod som beskär grenarna på ett träd. Försök med två datamängder visar att metoden är snabbare "
    "än de kända och att den är lika noggrann.",
}  # fmt: skip


@pytest.mark.parametrize("language", OTHER)
def test_other_languages(language):
    assert status("", OTHER[language]) == "language"


@pytest.mark.parametrize(
    "abstract",
    [
        ABSTRACT,
        "TreeCut prunes trees.",
        "BERT, GPT-2, T5: benchmarks.",
        "Fast pruning.",
        r"$O(n \log n)$",
        "We compare Müller's naïve Bayes with the Erdős-Rényi model on the Straße dataset and the Łódź corpus.",
        "We translate German 'der die das und ist' into English, and show that it is the articles that fail most often.",
        "Résumé parsing is hard. We show that a model of the layout helps.",
        "The 的 particle in Chinese is studied with a model of 我们 and 他们; we show that it is optional in many cases.",
    ],
)
def test_english_and_what_cannot_be_told(abstract):
    assert english(abstract)
    assert status("", abstract) == "ok"
