-- +goose Up
CREATE TABLE approvals (
	seq         BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	id          TEXT NOT NULL UNIQUE,
	state       TEXT NOT NULL,
	digest      TEXT NOT NULL,
	call_key    TEXT NOT NULL,
	project     TEXT NOT NULL,
	open_digest TEXT UNIQUE,
	doc         TEXT NOT NULL
);
CREATE INDEX approvals_state ON approvals (state, seq);
CREATE INDEX approvals_call ON approvals (call_key, seq);
CREATE TABLE asks (
	session  TEXT NOT NULL,
	approval TEXT NOT NULL,
	PRIMARY KEY (session, approval)
);
CREATE TABLE grants (
	seq BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	id  TEXT NOT NULL UNIQUE,
	doc TEXT NOT NULL
);
CREATE TABLE notes (
	seq BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	id  TEXT NOT NULL UNIQUE,
	doc TEXT NOT NULL
);
CREATE TABLE state (
	bucket TEXT NOT NULL,
	key    TEXT NOT NULL,
	value  BYTEA NOT NULL,
	at     BIGINT NOT NULL,
	PRIMARY KEY (bucket, key)
);
CREATE INDEX state_age ON state (bucket, at);

-- +goose Down
DROP TABLE state;
DROP TABLE notes;
DROP TABLE grants;
DROP TABLE asks;
DROP TABLE approvals;
