/** What goes with a tarball: the packages that its bundle contains (CycloneDX), and where it comes from (in-toto, SLSA). */
import * as v from "valibot";

/** As scripts/build.mjs writes it beside the bundle. */
export const BundledPackages = v.array(
  v.strictObject({ name: v.string(), version: v.string(), license: v.string(), path: v.string() }),
);
type BundledPackage = v.InferOutput<typeof BundledPackages>[number];

/** The part of package-lock.json that is read here. */
export const Lock = v.looseObject({
  packages: v.record(v.string(), v.looseObject({ integrity: v.optional(v.string()) })),
});
type Lock = v.InferOutput<typeof Lock>;

interface Tarball {
  readonly name: string;
  readonly version: string;
  readonly sha256: string;
}

const makeUrl = ({ name, version }: Pick<Tarball, "name" | "version">): string =>
  `pkg:npm/${name.replace("@", "%40")}@${version}`;

/** A bill of materials: the packages of the bundle with their licences, and the hashes by which they were installed. */
export function makeBill(tarball: Tarball, packages: readonly BundledPackage[], lock: Lock): object {
  const root = makeUrl(tarball);
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      component: {
        type: "application",
        "bom-ref": root,
        name: tarball.name,
        version: tarball.version,
        purl: root,
        licenses: [{ expression: "MIT" }],
        hashes: [{ alg: "SHA-256", content: tarball.sha256 }],
      },
    },
    components: packages.map((one) => ({
      type: "library",
      "bom-ref": makeUrl(one),
      name: one.name,
      version: one.version,
      purl: makeUrl(one),
      licenses: [{ expression: one.license }],
      hashes: listHashes(lock.packages[one.path]?.integrity),
    })),
    dependencies: [{ ref: root, dependsOn: packages.map(makeUrl) }],
  };
}

function listHashes(integrity: string | undefined) {
  const found = /^sha512-(?<base64>[A-Za-z0-9+/]+=*)$/.exec(integrity ?? "")?.groups?.["base64"];
  return found === undefined ? [] : [{ alg: "SHA-512", content: Buffer.from(found, "base64").toString("hex") }];
}

interface Origin {
  /** The commit with the sources of the tarball. */
  readonly commit: string;
  /** Of files of that commit, by name. */
  readonly files: Readonly<Record<string, string>>;
  readonly node: string;
}

/** The statement says what the tarball was made from. It is not signed here: `npm publish --provenance` does that in CI. */
export function makeProvenance({ name, version, sha256 }: Tarball, { commit, files, node }: Origin): object {
  return {
    _type: "https://in-toto.io/Statement/v1",
    subject: [{ name: `${name}-${version}.tgz`, digest: { sha256 } }],
    predicateType: "https://slsa.dev/provenance/v1",
    predicate: {
      buildDefinition: {
        buildType: "urn:relais:release:1",
        externalParameters: { command: ["npm", "run", "release", "--", version] },
        internalParameters: { node },
        resolvedDependencies: [
          { name: "source", digest: { gitCommit: commit } },
          ...Object.entries(files).map(([file, digest]) => ({ name: file, digest: { sha256: digest } })),
        ],
      },
      runDetails: { builder: { id: "urn:relais:scripts/release.ts" } },
    },
  };
}
