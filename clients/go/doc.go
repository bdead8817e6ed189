// Package ctxdb is the client of ctxdb, the context database for AI agents.
//
//	client, err := ctxdb.Connect("http://127.0.0.1:1933", ctxdb.WithKey("…"))
//	defer client.Close()
//	found, err := client.Search.Find(ctx, &ctxdbv1.FindRequest{Query: "how do we ship?"})
//
// Requests and answers are the messages of the contract, in package ctxdbv1. Every error of a call is an *Error.
// A call ends with its context; a context without a deadline gets that of the client. Lists and streams are iterators.
package ctxdb
