"""LangChain on ctxdb: retriever, vector store, key-value store and chat history."""

from ctxdb_langchain.chat_history import CtxdbChatMessageHistory
from ctxdb_langchain.kv_store import CtxdbByteStore
from ctxdb_langchain.retriever import CtxdbRetriever
from ctxdb_langchain.vector_store import CtxdbVectorStore

__all__ = ["CtxdbByteStore", "CtxdbChatMessageHistory", "CtxdbRetriever", "CtxdbVectorStore"]
__version__ = "0.1.0"
