// Package snapshotcmd is trammel snapshot: what the policy snapshot has saved.
package snapshotcmd

import (
	"fmt"
	"path/filepath"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/cmd/trammel/cli"
	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/policies/snapshot"
)

// New is the command with all its verbs.
func New() *cobra.Command {
	cmd := &cobra.Command{Use: "snapshot"}
	cmd.AddCommand(listCmd(), diffCmd(), restoreCmd())
	return cmd
}

// storeAt opens the snapshots of the project that a directory belongs to.
func storeAt(dir string) (*snapshot.Store, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	dirs, err := layers.System()
	if err != nil {
		return nil, err
	}
	return snapshot.Open(dirs.State, abs)
}

func listCmd() *cobra.Command {
	var most int
	cmd := &cobra.Command{Use: "list", Args: cobra.NoArgs}
	asJSON, dir := cli.JSONFlag(cmd), cli.DirFlag(cmd)
	cmd.Flags().IntVarP(&most, "number", "n", 30, "how many are listed; 0 for all")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		store, err := storeAt(*dir)
		if err != nil {
			return err
		}
		list, err := store.List(cmd.Context())
		if err != nil {
			return err
		}
		if len(list) > most && most > 0 {
			list = list[:most]
		}
		rows := [][]string{{"ID", "TIME", "SESSION", "TAKEN"}}
		for _, s := range list {
			rows = append(rows, []string{strconv.Itoa(s.ID), s.Time.Local().Format(time.DateTime), cli.Line(s.Session),
				cli.Line(s.Label)})
		}
		return cli.List(cmd, *asJSON, append([]snapshot.Snapshot{}, list...), rows, "no snapshots of "+store.Root)
	}
	return cmd
}

// withSnapshot completes a command whose first argument is a snapshot.
func withSnapshot(cmd *cobra.Command, do func(store *snapshot.Store, found snapshot.Snapshot, more []string) error) *cobra.Command {
	dir := cli.DirFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		store, err := storeAt(*dir)
		if err != nil {
			return err
		}
		found, err := findSnapshot(cmd, store, args[0])
		if err != nil {
			return err
		}
		return do(store, found, args[1:])
	}
	return cmd
}

func diffCmd() *cobra.Command {
	cmd := &cobra.Command{Use: "diff ID [ID]", Args: cobra.RangeArgs(1, 2)}
	asJSON := cli.JSONFlag(cmd)
	return withSnapshot(cmd, func(store *snapshot.Store, from snapshot.Snapshot, more []string) error {
		var to *snapshot.Snapshot
		if len(more) > 0 {
			second, err := findSnapshot(cmd, store, more[0])
			if err != nil {
				return err
			}
			to = &second
		}
		patch, err := store.Diff(cmd.Context(), from, to)
		if err != nil {
			return err
		}
		if *asJSON { // without "to" it is the files as they are now
			return cli.JSON(cmd.OutOrStdout(), struct {
				From  snapshot.Snapshot  `json:"from"`
				To    *snapshot.Snapshot `json:"to,omitempty"`
				Patch string             `json:"patch"`
			}{from, to, string(patch)})
		}
		_, err = cmd.OutOrStdout().Write(patch)
		return err
	})
}

func restoreCmd() *cobra.Command {
	cmd := &cobra.Command{Use: "restore ID", Args: cobra.ExactArgs(1)}
	asJSON := cli.JSONFlag(cmd)
	return withSnapshot(cmd, func(store *snapshot.Store, to snapshot.Snapshot, _ []string) error {
		done, err := store.Restore(cmd.Context(), to)
		if err != nil {
			return err
		}
		if *asJSON {
			return cli.JSON(cmd.OutOrStdout(), done)
		}
		out := cmd.OutOrStdout()
		for _, path := range done.Kept {
			fmt.Fprintf(out, "kept     %s: it is in no snapshot\n", path)
		}
		for _, path := range done.Removed {
			fmt.Fprintf(out, "removed  %s\n", path)
		}
		for _, path := range done.Written {
			fmt.Fprintf(out, "written  %s\n", path)
		}
		_, err = fmt.Fprintf(out, "the files are as in snapshot %d; to go back: trammel snapshot restore %d\n", to.ID, done.Before.ID)
		return err
	})
}

func findSnapshot(cmd *cobra.Command, store *snapshot.Store, word string) (snapshot.Snapshot, error) {
	id, err := strconv.Atoi(word)
	if err != nil {
		return snapshot.Snapshot{}, fmt.Errorf("%q is not the number of a snapshot; trammel snapshot list shows them", word)
	}
	return store.Find(cmd.Context(), id)
}
