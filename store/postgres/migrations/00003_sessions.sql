-- +goose Up
CREATE INDEX events_sessions ON events (host, session, at, row);

-- +goose Down
DROP INDEX events_sessions;
