package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/approvals/human"
	"github.com/trammel-dev/trammel/cmd/trammel/cli"
	"github.com/trammel-dev/trammel/dialects/standard"
	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/liveness"
	"github.com/trammel-dev/trammel/server"
	"github.com/trammel-dev/trammel/server/auth"
)

func serveCmd() *cobra.Command {
	o := &server.Options{}
	var store, secretFile string
	var roles []string
	cmd := &cobra.Command{Use: "serve", Args: cobra.NoArgs}
	f := cmd.Flags()
	cli.AddressFlag(f, &o.Listen, "listen", "127.0.0.1:7777", "the address to listen on; empty for the socket alone")
	f.StringVar(&o.Socket, "socket", "", "a socket for all users of this machine (default: one in the state directory, for its owner)")
	f.StringVar(&store, "store", "", "where requests are stored: a postgres:// address or a file (default: as approvals.store says)")
	f.StringVar(&o.TLSCert, "tls-cert", "", "the certificate, in PEM")
	f.StringVar(&o.TLSKey, "tls-key", "", "its key, in PEM")
	f.StringVar(&o.URL, "url", "", "the address of this server as browsers see it")
	f.StringVar(&o.Issuer, "oidc-issuer", "", "the OIDC issuer at which people log in")
	f.StringVar(&o.Client, "oidc-client", "", "the client id at the issuer")
	f.StringVar(&o.Claim, "oidc-claim", "", "a claim of the issuer, such as groups, whose values have roles: --role @VALUE=ROLE")
	f.StringVar(&secretFile, "oidc-secret-file", "", "a file with the client's secret, if it has one")
	f.StringArrayVar(&roles, "role", nil, "NAME=ROLE or @VALUE=ROLE: a role, viewer, approver or admin; people are approvers otherwise")
	f.StringArrayVar(&o.Export, "export", nil, "NAME: somebody who may export records, besides admins (default: every approver)")
	f.StringVar(&o.OTLP, "otlp", "", "an OTLP endpoint for traces and metrics (default: $OTEL_EXPORTER_OTLP_ENDPOINT; none exports nothing)")
	f.StringArrayVar(&o.Process, "process", nil, "DIRECTORY: a process that agents may control, as the pack is now")
	authority := cli.AuthorityFlag(cmd)
	f.BoolVar(&o.Collect, "collect", false, "accept evidence that machines push")
	cmd.RunE = func(cmd *cobra.Command, _ []string) (err error) {
		// Whoever starts a server decides who people are: by its issuer, its
		// roles and the secrets of its channels.
		gate := human.Gate{Agent: agentOf, Mark: standard.Mark}
		if err := gate.NoAgent(); err != nil {
			return judgedExit(cmd, err)
		}
		o.Authority = *authority
		if o.Roles, err = auth.ParseRoles(roles); err != nil {
			return cli.Usagef("--role %w", err)
		}
		if o.Secret, err = cli.Secret(secretFile); err != nil {
			return err
		}
		if err := useStore(store); err != nil {
			return err
		}
		if err := cli.DirectoryOf("socket", o.Socket); err != nil {
			return err
		}
		dirs, err := layers.System()
		if err != nil {
			return err
		}
		cli.CollectSeldom()
		o.Log = slog.New(slog.NewTextHandler(cmd.ErrOrStderr(), nil))
		ctx, stop := cli.Interruptible(cmd)
		defer stop()
		s, err := server.Open(ctx, dirs, o)
		if err != nil {
			return err
		}
		s.Health = func(ctx context.Context) ([]liveness.HostHealth, error) {
			list, err := inspect(ctx, &wiringFlags{scope: "user", authority: authority}, nil)
			// The page says that there is no agent.
			return slices.DeleteFunc(list, func(h liveness.HostHealth) bool { return !h.Wired && !h.Installed }), err
		}
		o.Started = func(s *server.Server, where string) {
			fmt.Fprintf(cmd.OutOrStdout(), "Listening on %s\nVotes by this server count on other machines with approvals.trust: [%q]\n", where,
				s.Trust())
			if link, err := s.Auth.NewLink(ctx); err == nil && o.Listen != "" {
				fmt.Fprintf(cmd.OutOrStdout(), "To decide, log in with the authority secret: %s/login\nTo look only, open %[1]s/login?link=%s\n", where,
					link)
			}
		}
		return s.Run(ctx, o)
	}
	cmd.AddCommand(tokenCmd())
	return cmd
}

// useStore makes the whole process use a store, if the settings name none.
func useStore(address string) error {
	if address == "" {
		return nil
	}
	if err := cli.DirectoryOf("store", address); err != nil {
		return err
	}
	return os.Setenv("TRAMMEL_STORE", address)
}
