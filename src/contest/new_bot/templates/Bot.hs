-- A bot for the Santorini server that plays any legal turn (santorini help protocol).
--   ./bot HOST PORT NAME
-- Needs the package network: cabal install --lib network
module Main (main) where
import Control.Monad (msum, unless, when)
import Data.List (isPrefixOf)
import GHC.Clock (getMonotonicTimeNSec)
import Network.Socket
import System.Environment (getArgs)
import System.IO

type Space = (Int, Int) -- x and y, from 0 to 5

-- The tokens of a line of JSON, which are also tokens of Haskell.
parts :: String -> [String]
parts text = [part | (part, rest) <- lex text, part /= "", part <- part : parts rest]
pairs :: [String] -> [Space]
pairs list = case list of { x : "," : y : rest | x /= "]" -> (read x, read y) : pairs (drop 1 rest); _ -> [] }
near :: Space -> Space -> Bool
near (x, y) (a, b) = (x, y) /= (a, b) && abs (x - a) < 2 && abs (y - b) < 2

-- The possible answers to a state: the worker that moves, and a space.
answers :: String -> [[Int]] -> [Space] -> [Space] -> Int -> [(Int, Space)]
answers status floors mine theirs moved = case status of
  "\"placeWorker\"" -> [(0, to) | to <- free]
  "\"build\"" -> [(moved, to) | to <- free, near (mine !! (moved - 1)) to, floor' to < 4]
  "\"moveWorker\"" -> [ (worker, to) | (worker, from) <- zip [1 ..] mine, to <- free, near from to
                      , floor' to <= min 3 (floor' from + 1) ]
  _ -> [] -- the game is over
  where free = [(x, y) | x <- [0 .. 5], y <- [0 .. 5], (x, y) `notElem` mine ++ theirs]
        floor' (x, y) = floors !! y !! x

play :: Handle -> String -> Int -> IO ()
play server name moved = do
  end <- hIsEOF server
  when end $ fail "the connection ended before the final table"
  line <- hGetLine server
  if "\"" `isPrefixOf` line then putStrLn line >> unless ("\"final table" `isPrefixOf` line) (play server name moved) else do
    let "[" : status : _ : turn : _ : rest = parts line
        [(floors, bots)] = reads (drop (length ("[" ++ status ++ "," ++ turn ++ ",")) line)
        ("," : "[" : first : _ : _ : list) = parts bots
        other = drop 7 (dropWhile (/= "]") list)
        (mine, theirs) = if first == name then (pairs list, pairs other) else (pairs other, pairs list)
        choices = if turn == name then answers status floors mine theirs moved else []
    clock <- getMonotonicTimeNSec
    let (worker, (x, y)) = choices !! (fromIntegral (clock `div` 7) `mod` length choices)
        answer = [worker | status == "\"moveWorker\""] ++ [x, y]
    unless (null choices) $ hPutStrLn server (unwords (map show answer))
    play server name (if null choices then moved else worker)
main :: IO ()
main = do
  args <- getArgs
  [host, port, name] <- if length args == 3 then pure args else fail "usage: Bot HOST PORT NAME"
  addresses <- getAddrInfo (Just defaultHints {addrSocketType = Stream}) (Just host) (Just port)
  let open to = socket (addrFamily to) Stream defaultProtocol >>= \it -> it <$ connect it (addrAddress to)
  connection <- msum (map open addresses) -- the first that answers
  server <- socketToHandle connection ReadWriteMode
  hSetBuffering server LineBuffering
  hPutStrLn server name
  play server ("\"" ++ concatMap (\c -> ['\\' | c `elem` "\"\\"] ++ [c]) name ++ "\"") 1 -- as in JSON
