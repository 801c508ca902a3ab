package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/cmd/trammel/cli"
	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/server"
	"github.com/trammel-dev/trammel/server/auth"
	"github.com/trammel-dev/trammel/server/collect"
)

// tokenCmd makes tokens for programs that use the server over HTTP.
func tokenCmd() *cobra.Command {
	var store string
	cmd := &cobra.Command{Use: "token"}
	cmd.PersistentFlags().StringVar(&store, "store", "", "where requests are stored: a postgres:// address or a file (default: as "+
		"approvals.store says)")
	opened := func(ctx context.Context) (*auth.Credentials, *approvals.Roster, error) {
		if err := useStore(store); err != nil {
			return nil, nil, err
		}
		dirs, err := layers.System()
		if err != nil {
			return nil, nil, err
		}
		return server.OpenCredentials(ctx, dirs)
	}
	cmd.AddCommand(tokenCreate(opened), tokenList(opened), tokenRevoke(opened))
	return cmd
}

type openCredentials func(context.Context) (*auth.Credentials, *approvals.Roster, error)

func tokenCreate(open openCredentials) *cobra.Command {
	var word, account string
	var lasts time.Duration
	var system bool
	cmd := &cobra.Command{Use: "create NAME", Args: cobra.ExactArgs(1)}
	cmd.Flags().StringVar(&word, "role", "agent", "agent can only send events to be judged; viewer sees everything")
	cmd.Flags().StringVar(&account, "user", "", "somebody in approvals.people, whose programs have the token: they cannot decide about "+
		"its calls, whatever user these name")
	cmd.Flags().BoolVar(&system, "system", false, "in processes it acts as the system, and not as an agent")
	cmd.Flags().DurationVar(&lasts, "expires", 90*24*time.Hour, "how long it lasts")
	asJSON := cli.JSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		role, err := auth.ParseRole(word)
		if err != nil {
			return cli.Usagef("--role: %w", err)
		}
		if role > auth.Viewer {
			return cli.Usagef("a token cannot decide, because anyone who finds it could use it; deciding takes a person who logs in")
		}
		if !collect.Names(args[0]) {
			return cli.Usagef("the name of a token is %q, expected letters, digits, dots and dashes", args[0])
		}
		if lasts <= 0 {
			return cli.Usagef("--expires: %s is not in the future", lasts)
		}
		c, people, err := open(cmd.Context())
		if err != nil {
			return err
		}
		if account != "" {
			if account, err = people.Identity(account); err != nil {
				return cli.Usagef("--user: %w", err)
			}
		}
		prefix := "token:"
		if system {
			prefix = auth.SystemPrefix
		}
		expires := time.Now().Add(lasts)
		secret, err := c.Create(cmd.Context(), auth.Credential{Kind: auth.Token, Name: args[0], Role: role, Identity: prefix + args[0],
			Account: account, Expires: expires})
		if err != nil {
			return err
		}
		if *asJSON {
			return cli.JSON(cmd.OutOrStdout(), map[string]any{"name": args[0], "role": role.String(), "secret": secret, "expires": expires.UTC()})
		}
		fmt.Fprintln(cmd.OutOrStdout(), secret)
		return nil
	}
	return cmd
}

func tokenList(open openCredentials) *cobra.Command {
	cmd := &cobra.Command{Use: "list", Args: cobra.NoArgs}
	asJSON := cli.JSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		c, _, err := open(cmd.Context())
		if err != nil {
			return err
		}
		list, err := c.List(cmd.Context(), auth.Token)
		if err != nil {
			return err
		}
		rows := [][]string{{"ID", "NAME", "ROLE", "EXPIRES", "USED"}}
		out := make([]tokenJSON, len(list))
		for i, t := range list {
			out[i] = tokenJSON{t.ID, t.Name, t.Role.String(), t.Identity, t.Created, t.Expires, t.Used}
			rows = append(rows, []string{t.ID, t.Name, t.Role.String(), t.Expires.Format(time.DateOnly), t.Used.Format(time.DateTime)})
		}
		return cli.List(cmd, *asJSON, out, rows, "there are no tokens; make one with: trammel serve token create NAME")
	}
	return cmd
}

// tokenJSON is a token as programs see it.
type tokenJSON struct {
	ID       string    `json:"id"`
	Name     string    `json:"name"`
	Role     string    `json:"role"`
	Identity string    `json:"identity"`
	Created  time.Time `json:"created"`
	Expires  time.Time `json:"expires,omitzero"`
	Used     time.Time `json:"used"`
}

func tokenRevoke(open openCredentials) *cobra.Command {
	cmd := &cobra.Command{Use: "revoke ID", Args: cobra.ExactArgs(1)}
	asJSON := cli.JSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		c, _, err := open(cmd.Context())
		if err != nil {
			return err
		}
		there, err := c.Revoke(cmd.Context(), args[0])
		if err == nil && !there {
			err = fmt.Errorf("there is no token %s: see trammel serve token list", args[0])
		}
		if err != nil {
			return err
		}
		return cli.Done(cmd, *asJSON, map[string]string{"id": args[0], "state": "revoked"}, "revoked %s\n", args[0])
	}
	return cmd
}
