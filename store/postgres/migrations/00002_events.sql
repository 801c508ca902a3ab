-- +goose Up
CREATE TABLE events (
	row      BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	machine  TEXT NOT NULL,
	log      TEXT NOT NULL,
	number   BIGINT NOT NULL,
	at       BIGINT NOT NULL,
	took     BIGINT NOT NULL,
	id       TEXT NOT NULL,
	host     TEXT NOT NULL,
	kind     TEXT NOT NULL,
	session  TEXT NOT NULL,
	agents   TEXT NOT NULL,
	person   TEXT NOT NULL,
	project  TEXT NOT NULL,
	tool     TEXT NOT NULL,
	action   TEXT NOT NULL,
	url      TEXT NOT NULL,
	server   TEXT NOT NULL,
	decision TEXT NOT NULL,
	reason   TEXT NOT NULL,
	config   TEXT NOT NULL,
	paths    TEXT NOT NULL,
	hooks    TEXT NOT NULL,
	phases   TEXT NOT NULL,
	flags    TEXT NOT NULL,
	codes    TEXT NOT NULL,
	findings TEXT NOT NULL,
	words    TEXT NOT NULL,
	doc      TEXT NOT NULL,
	UNIQUE (machine, log, number)
);
CREATE INDEX events_at ON events (at, row);
CREATE INDEX events_id ON events (id);
CREATE INDEX events_decision ON events (decision, at, row);
CREATE INDEX events_session ON events (session, at, row);
CREATE INDEX events_tool ON events (tool, at, row);
CREATE INDEX events_project ON events (project, at, row);

-- +goose Down
DROP TABLE events;
