package varnames

// Hosts are the variables that name hosts to programs which talk to some.
func Hosts() []string {
	return []string{"http_proxy", "https_proxy", "all_proxy", "ftp_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "FTP_PROXY",
		"npm_config_registry", "NPM_CONFIG_REGISTRY", "npm_config_proxy", "npm_config_https_proxy", "PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL",
		"PIP_PROXY", "UV_INDEX_URL", "UV_DEFAULT_INDEX", "GOPROXY", "CARGO_HTTP_PROXY", "DOCKER_HOST", "CONTAINER_HOST", "AWS_ENDPOINT_URL",
		"AWS_ENDPOINT_URL_S3", "PGHOST", "PGHOSTADDR", "MYSQL_HOST", "GH_HOST", "VAULT_ADDR", "CONSUL_HTTP_ADDR", "NOMAD_ADDR",
		"ETCDCTL_ENDPOINTS", "KUBERNETES_MASTER", "RSYNC_PROXY", "DATABASE_URL", "REDIS_URL"}
}
