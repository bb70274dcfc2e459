/** The public package registries, for `network_registries`. */
export const REGISTRY_HOSTS: readonly string[] = [
  "registry.npmjs.org registry.yarnpkg.com jsr.io npm.jsr.io deno.land",
  "pypi.org files.pythonhosted.org",
  "crates.io index.crates.io static.crates.io",
  "proxy.golang.org sum.golang.org",
  "rubygems.org index.rubygems.org",
  "repo.maven.apache.org repo1.maven.org plugins.gradle.org",
  "packagist.org repo.packagist.org api.nuget.org hex.pm repo.hex.pm",
].flatMap((hosts) => hosts.split(" "));
