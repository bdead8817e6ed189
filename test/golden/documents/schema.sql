-- Customers and their orders. Amounts are in cents.
CREATE TABLE customer (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  country CHAR(2)
);
CREATE TABLE purchase (
  id INTEGER PRIMARY KEY,
  customer INTEGER REFERENCES customer(id),
  amount INTEGER NOT NULL
);
