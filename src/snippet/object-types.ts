import {
  isBinaryExpression,
  isBindingElement,
  isObjectLiteralExpression,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isShorthandPropertyAssignment,
  type Node,
  type SourceFile,
  SyntaxKind,
} from "typescript/unstable/ast";
import { type Project, type Type, TypeFlags } from "typescript/unstable/async";
import { isOfServer } from "./closed-world.ts";

/** What the checker knows of an object, apart from null and undefined. */
export interface ObjectType {
  /** As TypeScript writes it. */
  readonly text: string;
  /** Properties with a name of their own; of several types those of each. */
  readonly properties: readonly string[];
  /** Whether it may hold properties that nobody declared, of unknown types. */
  readonly isOpen: boolean;
  /** Whether it is, or may be, a free map: an object of which no property is declared. */
  readonly isMap: boolean;
  /** Whether it may be null or undefined instead. */
  readonly isNullable: boolean;
  /** Whether it is one of several types. */
  readonly isUnion: boolean;
  /** Whether its type is written in the declarations of a server, as that of a result and of its parts. */
  readonly isServers: boolean;
}

/** A place in the checked text. */
interface Range {
  readonly pos: number;
  readonly end: number;
}

/** The objects that ranges of a file are about. Costs one fetch of the syntax tree: 0.5 ms. */
export async function objectsAt(
  { program, checker }: Project,
  path: string,
  ranges: readonly Range[],
): Promise<readonly (ObjectType | undefined)[]> {
  const file = await program.getSourceFile(path);
  const owners = ranges.map((range) => file && subjectOf(file, range));
  const nodes = [...new Set(owners.filter((owner) => owner !== undefined))];
  const types = nodes.length === 0 ? [] : await checker.getTypeAtLocation(nodes);
  const described = new Map<number, Promise<ObjectType>>();
  const byNode = new Map<Node, Promise<ObjectType>>();
  for (const [index, type] of types.entries()) {
    const node = nodes[index];
    if (!type || !node) continue;
    const object = described.get(type.id) ?? describeObject(type, checker);
    described.set(type.id, object);
    byNode.set(node, object);
  }
  return await Promise.all(owners.map((owner) => (owner ? byNode.get(owner) : undefined)));
}

/** Types of a union that are looked at one by one. Results with more than a few were not seen; literals have hundreds. */
const UNION_LIMIT = 30;

async function describeObject(whole: Type, checker: Project["checker"]): Promise<ObjectType> {
  const type = whole.isUnionType() ? ((await checker.getNonNullableType(whole)) ?? whole) : whole;
  const members = type.isUnionType() ? await type.getTypes() : [type];
  const few = members.length <= UNION_LIMIT ? members : [type];
  const [text, parts] = await Promise.all([
    checker.typeToString(type),
    Promise.all(few.map((member) => describePart(member, checker))),
  ]);
  return {
    text,
    properties: [...new Set(parts.flatMap(({ properties }) => properties))],
    isOpen: parts.every(({ isOpen }) => isOpen),
    isMap: parts.some(({ hasIndex, properties }) => hasIndex && properties.length === 0),
    isNullable: type.id !== whole.id,
    isUnion: members.length > 1,
    isServers: parts.every(({ isServers }) => isServers),
  };
}

async function describePart(type: Type, checker: Project["checker"]) {
  const [properties, indexInfos, isServers] = await Promise.all([
    checker.getPropertiesOfType(type),
    checker.getIndexInfosOfType(type),
    isDeclaredByServer(type),
  ]);
  return {
    properties: properties.map(({ name }) => name),
    hasIndex: indexInfos.length > 0,
    isOpen: indexInfos.some(({ valueType }) => (valueType.flags & TypeFlags.Unknown) !== 0),
    isServers,
  };
}

/** Whether a type, or every part of an intersection, is written in a server's file. */
async function isDeclaredByServer(type: Type): Promise<boolean> {
  if (type.isIntersectionType()) {
    const parts = await Promise.all((await type.getTypes()).map(isDeclaredByServer));
    return parts.every(Boolean);
  }
  const symbol = await type.getSymbol();
  return symbol?.declarations.some(({ path }) => isOfServer(path)) ?? false;
}

/** The expression or the pattern that the property named at a range is taken from; else the expression at the range. */
function subjectOf(file: SourceFile, { pos, end }: Range): Node | undefined {
  let node = innermostAt(file, pos);
  if (node?.kind === SyntaxKind.Identifier && node.getStart(file) === pos) {
    const { parent } = node;
    if (isPropertyAccessExpression(parent) && parent.name === node) return parent.expression;
    if (isBindingElement(parent)) return (parent.propertyName ?? parent.name) === node ? parent.parent : undefined;
    const isKey = isPropertyAssignment(parent) || isShorthandPropertyAssignment(parent);
    if (isKey && parent.name === node) return assignedTo(parent.parent);
  }
  while (node && node.end < end) node = node.parent;
  return node?.end === end && node.getStart(file) === pos ? node : undefined;
}

/** What is assigned to an object literal that stands for a pattern. */
function assignedTo(pattern: Node): Node | undefined {
  const { parent } = pattern;
  if (!isObjectLiteralExpression(pattern) || !isBinaryExpression(parent)) return undefined;
  return parent.left === pattern && parent.operatorToken.kind === SyntaxKind.EqualsToken ? parent.right : undefined;
}

function innermostAt(file: SourceFile, offset: number): Node | undefined {
  let innermost: Node | undefined;
  const around = (node: Node): Node | undefined => (node.pos <= offset && offset < node.end ? node : undefined);
  for (let node: Node | undefined = file; node; node = node.forEachChild(around)) innermost = node;
  return innermost;
}
