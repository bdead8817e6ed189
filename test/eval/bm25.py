"""BM25 with an analyser of the language over the sets that `npm run eval:languages` makes.

usage: bm25.py FOLDER (needs `pip install bm25s PyStemmer jieba fugashi unidic-lite`)
Recall@10 and nDCG@10 of whole documents: Snowball stems and stop words for German, French and Spanish, MeCab for Japanese, jieba for Chinese.
"""
import json, math, pathlib, re, sys

import bm25s, fugashi, jieba, Stemmer
from bm25s import stopwords

SNOWBALL = {"de": ("german", stopwords.STOPWORDS_GERMAN), "fr": ("french", stopwords.STOPWORDS_FRENCH), "es": ("spanish", stopwords.STOPWORDS_SPANISH)}
TAGGER = fugashi.Tagger()


def analyser(language):
    if language == "zh":
        return lambda text: [word for word in jieba.lcut_for_search(text.lower()) if re.search(r"\w", word)]
    if language == "ja":
        return lambda text: [(word.feature.lemma or word.surface).lower() for word in TAGGER(text) if word.feature.pos1 not in ("助詞", "助動詞", "補助記号", "空白")]
    name, stop = SNOWBALL[language]
    stemmer = Stemmer.Stemmer(name)
    return lambda text: stemmer.stemWords([word for word in re.findall(r"\w+", text.lower()) if word not in stop])


def rows(path):
    return [json.loads(line) for line in path.read_text().splitlines() if line]


for folder in sorted(pathlib.Path(sys.argv[1]).iterdir()):
    analyse = analyser(folder.name.rsplit("-", 1)[1])
    corpus, queries = rows(folder / "corpus.jsonl"), rows(folder / "queries.jsonl")
    wanted = dict(line.split("\t")[:2] for line in (folder / "qrels.tsv").read_text().splitlines())
    index = bm25s.BM25(k1=1.2, b=0.75)
    index.index([analyse(document["text"]) for document in corpus], show_progress=False)
    recall = ndcg = 0
    for query in queries:
        found, _ = index.retrieve([analyse(query["text"])], k=10, show_progress=False)
        ids = [corpus[at]["id"] for at in found[0]]
        if wanted[query["id"]] in ids:
            recall += 1
            ndcg += 1 / math.log2(2 + ids.index(wanted[query["id"]]))
    print(f"| {folder.name} | {len(corpus)} | {recall / len(queries):.3f} / {ndcg / len(queries):.3f} |")
