-- +goose Up
-- Whatever a filter asks for is in the index by time, so that rows are only read when they are found.
DROP INDEX events_at;
CREATE INDEX events_at ON events (at, row, host, session, kind, machine, agents, person, action, url, server, took, config, phases, flags,
	codes, findings, hooks, paths, words, reason);
-- Sessions are counted by this index alone.
CREATE INDEX events_sessions ON events (host, session, at, row, decision, project);

-- +goose Down
DROP INDEX events_sessions;
DROP INDEX events_at;
CREATE INDEX events_at ON events (at, row, words, hooks, paths, flags, host, kind);
