package deliver_test

import (
	"testing"

	"github.com/trammel-dev/trammel/store"
	"github.com/trammel-dev/trammel/store/postgres"
	"github.com/trammel-dev/trammel/test/pgtest"
)

// What depends on the store holds on PostgreSQL, too.
func TestOnPostgres(t *testing.T) {
	before := openStore
	defer func() { openStore = before }()
	pgtest.Database(t) // or the test is skipped
	openStore = func(t *testing.T) (store.Store, error) { return postgres.Open(t.Context(), pgtest.Database(t)) }
	t.Run("click", TestClick)
	t.Run("replay", TestReplay)
	t.Run("race", TestRace)
	t.Run("restart", TestRestart)
	t.Run("replicas", TestReplicas)
	t.Run("died while sending", TestDiedWhileSending)
	t.Run("died while handling", TestDiedWhileHandling)
	t.Run("run", TestRun)
}
