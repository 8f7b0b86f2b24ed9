// The types of the scripts of the page, for `tsc` only: the page does not contain them.
// PROTOCOL.txt and src/games/draw/board.js explain the fields.

// 0 or 1: the first or the second player.
type Seat = number;
type Place = [row: number, column: number];
type Pair<T> = [T, T];

// ---- drawing ----

type LitSpace = { at: Place; as: "own" | "chosen" | "move" | "build" };
type TurnPath = { path: Place[]; built: Place[] };
type Scene = {
  levels: number[][];
  workers: Place[][];
  mover: Seat | null;
  last: TurnPath & { displaced: Pair<Place> | null } | null;
  turn?: number;
  lit?: LitSpace[];
  arrows?: TurnPath[];
  // Whose workers can be dragged; by default the mover's.
  movable?: Seat[];
};

type Point = [x: number, y: number];
type Area = [x: number, y: number, width: number, height: number];
type Look = { flat?: boolean; turned?: number };
type Layout = {
  prefix: string;
  size: number;
  depth: number;
  box: Area;
  cell(at: Place): Place;
  origin(at: Place): Point;
  top(at: Place): Area;
  middle(at: Place): Point;
  stand(at: Place): Point;
};
// A worker that was placed comes from nowhere.
type Changes = { moved: { seat: Seat; from: Place | null; to: Place }[]; raised: Place[] };

type BoardOfPage = {
  show(scene: Scene, how: { label(name: string): string; path: Place[] | null }): Changes | null;
  letGo(): void;
  focus(): void;
};

declare const santoriniLook: string;
declare const santorini: {
  svg(scene: Scene, look?: Look): string;
  layout(scene: Scene, look?: Look): Layout;
  steps(turn: string): TurnPath;
  prepare(): void;
};

// ---- questions and answers ----

type OpenScene = Scene & { mover: Seat };
// A board of an opened game has only its position, scene, cards and winner until it is looked at.
type ViewOf<Mover, Winner> = {
  position: string;
  board?: object;
  scene: Scene & { turn: number; mover: Mover };
  cards?: Pair<string> | null;
  turns?: string[];
  winner: Winner;
  stuck?: boolean;
};
// During the game there is a player to move; afterwards there is a winner.
type OpenView = ViewOf<Seat, null>;
type View = OpenView | ViewOf<null, Seat>;
type Found = {
  depth: number;
  nodes: number;
  seconds: number;
  speed: number;
  lines: { chance: number; score: string; turns: string[] }[];
};
type Compared = { depth: number; turns: { turn: string; chance: number; score: string }[] };
type Placing = { squares: string[]; chance: number; reply?: string[]; won?: number; games?: number };
// A mark on a space: its loss against the best, a word for it, and whether the space is
// otherwise free.
type SpaceMark = { at: string; loss: number; text: string; isFree?: boolean };
type Judgement = "best" | "good" | "inaccuracy" | "mistake" | "blunder";
type Judged = {
  judgement: Judgement; best: string | null; line: string[]; chance_before: number; chance_after: number;
  // Plies to a proved end, after the best turn and after this one.
  best_plies?: number; plies?: number;
};
// An entry of a game with variations; the first one has neither `after` nor `turn`.
type Branch = { after?: number | null; turn?: string | null; comment?: string | null };
type Puzzle = { id: number; size: number; position: string; solution: string; turns: number };

type Hello = {
  levels: { level: number; about: string; elo: number; error: number }[];
  measured: string;
  cards: { name: string; rule: string }[];
  cardsNetwork: boolean;
  rules: Pair<string>[];
  sizes: number[];
  programs: string[];
  most: { message: number };
  live?: boolean;
  joined?: boolean;
  start: { id: number; opponent: string; file: string | null } | null;
};

// The answer to each question. A search sends partial answers first.
type Answers = {
  hello: Hello;
  look: View;
  read: View;
  explain: { turn: string } | { begins: string[] } | { illegal: string };
  play: { turn: string };
  place: { squares: string[] };
  analyze: Found;
  compare: Compared;
  placements: { placements: Placing[] };
  review: { chances: number[]; turns: Judged[]; summary: Pair<{ accuracy: number | null }> };
  puzzles: { puzzles: Puzzle[] };
  game: { nodes: (View & Branch)[]; players: string[]; winner: Seat | null; ending: string | null; why: string | null };
  record: { record: string };
};
type Question<Name extends keyof Answers> = { do: Name; [argument: string]: unknown };
type Waiting = { waiting: true };
// The partial answers of a search.
type Parts = {
  [Name in keyof Answers]: Name extends "analyze" ? Found | Waiting : Name extends "compare" ? Compared | Waiting : { done: number; all: number } | Waiting;
};
type Asked<Answer> = { answer: Promise<Answer>; stop(): void };

type Listener = {
  heard(text: string): void;
  opened(): void;
  lost(why: string): void;
};
type OpenLink = (listener: Listener) => { send(text: string): boolean };

// ---- the state of the page ----

type Person = { kind: "person" | "friend" | "live" };
type Machine = { kind: "level"; level: number } | { kind: "program"; program: number };
type Player = Person | Machine;

// A board of the game. Only the first one has neither parent nor turn.
interface NodeContent {
  view: View;
  children: PlayedNode[];
  comment: string;
  judged: (Judged & { sign: string }) | null;
}
interface RootNode extends NodeContent { parent: null; turn: null }
interface PlayedNode extends NodeContent { parent: GameNode; turn: string }
type GameNode = RootNode | PlayedNode;
// A turn for which a review found a better one.
type Mistake = PlayedNode & { judged: Judged & { best: string } };

// A game of a file: a record, or boards without names.
type Opened = {
  turns?: string[]; boards?: object[]; players?: string[]; cards?: string[]; winner?: Seat; ending?: string; game?: number;
};

// An entry of a list of games, and its bytes in the file.
type Listed = {
  number: number; players: string[]; cards: string[] | null; turns: number; winner: Seat | null; ending: string | null;
  start?: number; end?: number;
};

type Entry = { from: string | null; steps: Step[]; kind: Step["kind"] | null; isWhole?: boolean };
type Game = {
  seats: Player[];
  size: number;
  cards: string[] | null;
  placed: string[][];
  names: string[] | null;
  seed: number;
} & (
  | { mode: "place"; root: null; node: null }
  | { mode: "play" | "puzzle" | "guide"; root: GameNode; node: GameNode }
  | { mode: "setup"; root: GameNode | null; node: GameNode | null }
);
type State = Game & { hello: Hello | null; entry: Entry; thinking: { seat: Seat; stop(): void } | null };
type Storages = "localStorage" | "sessionStorage";
// A position that is being set up.
type Draft = { levels: number[][]; workers: string[][]; mover: Seat; cards: string[] | null };
// A task of the guide; `exercises.js` explains it.
type Exercise = {
  id: string; title: string; card?: string; position: string; task: string; goal: string[]; done: string;
} & ({ threat: string; missed: string } | { threat?: never; missed?: never });
// `isWon`: whether it was won once; `isFree`: whether both sides are played by hand; `under`:
// the game to resume after the puzzles.
type PuzzleState = {
  puzzle: Puzzle; mover: Seat; result: "" | "solved" | "failed"; isShown: boolean; isWon: boolean; isFree: boolean; under: SuspendedGame;
};
// A game suspended during a puzzle, an exercise or a set-up.
type SuspendedGame = Game & { wasThinking: boolean };
// A game as the browser keeps it.
type SavedGame = {
  id: number;
  position: string;
  tree: Branch[];
  seats: Player[];
  names: string[] | null;
  at: string[];
  isThinking: boolean;
  // Where workers were placed, if the game began with that here.
  placed?: string[][];
  when?: number;
  winner?: Seat | null;
};

type Step = { kind: "-" | "+" | "^"; at: string };
type TurnSteps = { text: string; from: string; steps: Step[] };

// The types of the page's elements, by the ends of their ids.
type ElementOf<Id> =
  Id extends `${string}Dialog` ? HTMLDialogElement
  : Id extends `${string}Template` ? HTMLTemplateElement
  : Id extends `${string}Button` ? HTMLButtonElement
  : Id extends `seat${number}` | `card${number}` | "lineCount" ? HTMLSelectElement
  : Id extends "typed" ? HTMLInputElement
  : HTMLElement;
