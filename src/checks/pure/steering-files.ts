/**
 * The files in which tools look for their settings. Settings of test runners, linters, type checkers and task runners
 * count wherever they change, because a check may start such a tool in any way. Files with other content too, such as a
 * package manifest, count only if a check starts the tool that reads them.
 */

const TEST_RUNNERS = [
  "**/{vitest,vite,jest,ava,playwright,cypress,nightwatch,web-test-runner,wtr}.config.*",
  "**/{vitest,jest}.{workspace,setup,projects,preset}.*",
  "**/{karma,wdio,protractor}.conf.*",
  "**/{jasmine,cypress,nightwatch}.json",
  "**/.{mocharc,nycrc,c8rc,taprc,testcaferc,swcrc,babelrc}*",
  "**/babel.config.*",
  "**/{conftest.py,noxfile.py,tox.ini,tox.toml,.coveragerc}",
  "**/{pytest,.pytest}.{ini,toml}",
  "**/.config/nextest.toml",
  "**/{phpunit,phpunit.dist}.xml*",
  "**/{.rspec,.phpunit.xml}",
];

const LINTERS_AND_TYPES = [
  "**/{tsconfig,jsconfig}*.json",
  "**/{eslint,prettier,stylelint,lint-staged,oxlint,commitlint,knip}.config.*",
  "**/.{eslintrc,eslintignore,oxlintrc,prettierrc,prettierignore,stylelintrc,stylelintignore,lintstagedrc}*",
  "**/{biome,.biome}.json*",
  "**/{tslint,pyrightconfig,knip}.json*",
  "**/.dependency-cruiser.*",
  "**/{ruff,.ruff,mypy,.mypy,pylintrc,.pylintrc,pyrefly,ty}.{toml,ini}",
  "**/{.flake8,.pylintrc,pylintrc}",
  "**/{clippy,.clippy,rustfmt,.rustfmt,deny}.toml",
  "**/.golangci.*",
  "**/{staticcheck.conf,.rubocop*,.standard.yml,phpstan*.neon*,psalm*.xml*,.php-cs-fixer*,detekt*.yml}",
  "**/{.clang-tidy,.clang-format,.swiftlint.yml,.credo.exs,.yamllint*,.markdownlint*}",
  "**/{.pre-commit-config.yaml,lefthook.*,.lefthook.*}",
];

/** Linters of a project's own are set up by files of such names. */
const OWN_LINTERS = [
  "**/{lint,linter,typecheck}.config.*",
  "**/{lint,linter,lintrc,lint-rules}.{json,yaml,yml,toml,ini,cfg}",
  "**/.{lintrc,lintignore,shellcheckrc}*",
];

const TASK_RUNNERS = [
  "**/{bunfig.toml,deno.json,deno.jsonc,turbo.json,turbo.jsonc,nx.json,lerna.json,rush.json,lage.config.*}",
  "**/Taskfile{.yml,.yaml,.dist.yml,.dist.yaml}",
];

export const RUNNER_SETTINGS: readonly string[] = [
  ...TEST_RUNNERS,
  ...LINTERS_AND_TYPES,
  ...OWN_LINTERS,
  ...TASK_RUNNERS,
];

const PACKAGES = [
  "**/{package.json,package.json5,package.yaml,project.json}",
  "**/{.npmrc,.yarnrc*,pnpm-workspace.yaml,.pnpmfile.*,.pnp.*,bunfig.toml}",
  "**/.yarn/{releases,plugins}/**",
];
const PYTHON = [
  "**/{pyproject.toml,setup.cfg,setup.py,Pipfile,sitecustomize.py,usercustomize.py}",
  "**/{uv,poetry,pdm,hatch}.toml",
];
const CARGO = ["**/{Cargo.toml,build.rs,rust-toolchain*}", "**/.cargo/**"];
const GO = ["**/{go.mod,go.work}", "**/vendor/modules.txt"];
const GRADLE = ["**/*.gradle*", "**/gradle.properties", "**/gradle/**", "**/buildSrc/**", "**/gradlew*"];
const MAVEN = ["**/pom.xml", "**/.mvn/**", "**/mvnw*"];
const CMAKE = ["**/{CMakeLists.txt,CMakePresets.json,CMakeUserPresets.json,CTest*.cmake}", "**/*.cmake"];
const BAZEL = ["**/{BUILD,WORKSPACE,MODULE}{,.bazel,.bzlmod}", "**/*.bzl", "**/{.bazelrc,.bazelversion}"];
const RUBY = ["**/{Gemfile,Rakefile,*.gemspec,*.rake}"];
const PHP = ["**/composer.json"];

const TOOLS: readonly (readonly [names: string, globs: readonly string[]])[] = [
  ["npm npx pnpm pnpx yarn yarnpkg bun bunx corepack nx turbo lerna rush lage wireit", PACKAGES],
  ["vitest jest mocha ava tap c8 nyc playwright cypress eslint prettier stylelint biome xo standard", PACKAGES],
  ["tsc tsx ts-node vite babel swc webpack rollup lint-staged knip oxlint depcruise", PACKAGES],
  ["deno", ["**/{deno.json,deno.jsonc,import_map.json,package.json}"]],
  ["python python3 pytest py.test tox nox uv uvx poetry pdm hatch pipenv", PYTHON],
  ["ruff mypy pyright flake8 pylint black isort coverage", PYTHON],
  ["cargo cross rustc", CARGO],
  ["go gotestsum golangci-lint staticcheck", GO],
  ["mage", ["**/magefile*.go", "**/magefiles/**", ...GO]],
  ["make gmake", ["**/Makefile", "**/GNUmakefile", "**/*.mk", "**/*.mak"]],
  ["just", ["**/justfile", "**/.justfile", "**/*.just"]],
  ["task go-task", ["**/Taskfile*"]],
  ["mise rtx", ["**/{mise,.mise,mise.local}.toml", "**/.config/mise/**", "**/.tool-versions"]],
  ["gradle gradlew", GRADLE],
  ["mvn mvnw", MAVEN],
  ["sbt", ["**/*.sbt", "**/project/**"]],
  ["cmake ctest", CMAKE],
  ["ninja", ["**/build.ninja"]],
  ["meson", ["**/{meson.build,meson_options.txt,meson.options}"]],
  ["bazel bazelisk", BAZEL],
  ["rake bundle rspec rubocop ruby", RUBY],
  ["composer phpunit php phpstan psalm", PHP],
  ["dotnet", ["**/*.{csproj,fsproj,sln,slnx,props,targets}", "**/{global.json,nuget.config}"]],
  ["mix", ["**/mix.exs", "**/config/*.exs"]],
  ["swift", ["**/Package.swift"]],
  ["zig", ["**/{build.zig,build.zig.zon}"]],
  ["stack cabal", ["**/{stack,package}.yaml", "**/*.cabal", "**/cabal.project*"]],
];

export const FILES_OF_TOOL: ReadonlyMap<string, readonly string[]> = new Map(
  TOOLS.flatMap(([names, globs]) => names.split(" ").map((name) => [name, globs] as const)),
);
