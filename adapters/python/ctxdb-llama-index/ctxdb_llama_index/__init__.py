"""LlamaIndex on ctxdb: retriever, vector store and memory block."""

from ctxdb_llama_index.memory import CtxdbMemoryBlock
from ctxdb_llama_index.retriever import CtxdbRetriever
from ctxdb_llama_index.vector_store import CtxdbVectorStore

__all__ = ["CtxdbMemoryBlock", "CtxdbRetriever", "CtxdbVectorStore"]
__version__ = "0.1.0"
