// Chances of winning in words. The bar, the lines and the graph show one player's chances.

// The seat of the only person in a game, or else of the first player.
/** @type {(seats: Player[]) => Seat} */
const spokenSeat = seats => {
  const people = [0, 1].filter(seat => seats[seat].kind === "person");
  return people.length === 1 ? people[0] : 0;
};

// A chance that is not certain: never 0% or 100%.
/** @type {(chance: number) => string} */
const likely = chance => chance > 0.995 ? ">99%" : chance < 0.005 ? "<1%" : percent(chance);

// The proved end: whether the player to move wins, and in how many of the winner's turns;
// null if nothing is proved.
/** @type {(score: string) => { wins: boolean, turns: number } | null} */
const provedEnd = score => {
  const end = /^(win|loss) in (\d+)$/.exec(score);
  return end && { wins: end[1] === "win", turns: Math.ceil(Number(end[2]) / 2) };
};

// The chance of a seat, from the chance of the player to move.
/** @type {(chance: number, mover: Seat, seat: Seat) => number} */
const chanceOfSeat = (chance, mover, seat) => mover === seat ? chance : 1 - chance;

/** @type {(line: { chance: number, score: string }, mover: Seat, seat: Seat) => string} */
const chanceWords = ({ chance, score }, mover, seat) => {
  const end = provedEnd(score);
  if (!end) return likely(chanceOfSeat(chance, mover, seat));
  return `${end.wins === (mover === seat) ? "wins" : "loses"} in ${end.turns}`;
};

// A chance in a review, or in its place a proved end, in plies from the board.
/** @type {(chance: number, plies?: number) => string} */
const reviewedChance = (chance, plies) => {
  if (plies === undefined) return likely(chance);
  if (plies === 0) return "the game is won";
  return `a ${plies > 0 ? "win" : "loss"} in ${counted(Math.ceil(Math.abs(plies) / 2))}`;
};

// The chances before and after a turn. Its proved end is one ply nearer after it.
/** @type {(judged: Judged) => Pair<string>} */
const chancesAround = ({ chance_before, best_plies, chance_after, plies }) => [
  reviewedChance(chance_before, best_plies), reviewedChance(chance_after, plies && plies - Math.sign(plies)),
];

// A score in levels of height for a seat; empty if the end is proved.
/** @type {(score: string, mover: Seat, seat: Seat) => string} */
const scoreFor = (score, mover, seat) => {
  if (provedEnd(score)) return "";
  if (mover === seat) return score;
  return score.replace(/^[+-]/, sign => sign === "+" ? "-" : "+");
};

// Whose chances are shown.
/** @type {(seat: Seat, name: string) => string} */
const whoseChances = (seat, name) => {
  const owner = name === "You" ? "you" : name;
  return `Chances are shown for ${owner}${name === colours[seat] ? "" : ` (${colours[seat].toLowerCase()})`}.`;
};

// The judgement of a turn that loses this much of the chance, with the limits of `judgement.rs`.
/** @type {(loss: number) => Judgement} */
const judgementOf = loss => loss < 0.005 ? "best" : loss < 0.05 ? "good" : loss < 0.1 ? "inaccuracy"
  : loss < 0.2 ? "mistake" : "blunder";
